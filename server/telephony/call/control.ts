import { EdgeCommand } from '../../modules/calls/index.ts'
import { withTimeout } from '../../platform/clock.ts'
import type { IncomingCall } from '../../sip/index.ts'
import { createCallAdmission } from '../admission/call-admission.ts'
import { limitWritesOfCompanies } from '../admission/company-writes.ts'
import { handlePassedOnCode, handlePhoneCode } from '../codes/handle-code.ts'
import { readPhoneCode } from '../codes/phone-code.ts'
import { joinCalls } from '../conversation/transfer/join-calls.ts'
import { isPassedOn } from '../edge/peer-edges.ts'
import { findDialledCoworker } from '../internal/dialled-coworker.ts'
import { handleInternalCall } from '../internal/internal-call.ts'
import { TELEPHONY_LIMITS } from '../limits.ts'
import { refuseCall } from '../monitoring/refuse-call.ts'
import { handleOutboundCall } from '../outbound/outbound.ts'
import type { CallControl, CreateCallControl } from '../port.ts'
import { createMediaOperations } from '../sound/media-operations.ts'
import { endlesslyRetryingWriter, retryingWriter } from './call-writer.ts'
import type { EdgeCallParts } from './customer-call.ts'
import { EdgeCalls } from './edge-calls.ts'
import { handleInboundCall } from './inbound.ts'
import { handleRejoin, handleReplacingCall, isRejoin } from './rejoin.ts'

/** Decides what happens to every call of this edge. */
export const createCallControl: CreateCallControl = (edge): CallControl => {
  const { log, realTime } = edge
  const live = new EdgeCalls()
  const legs = new Set<IncomingCall>()
  const sounds = createMediaOperations(edge.media)
  let isOpen = true
  const writes = limitWritesOfCompanies(edge.db, TELEPHONY_LIMITS.companyWrites)
  const storing = { db: edge.db, log, realTime, isOpen: () => isOpen }
  const parts: EdgeCallParts = {
    edge,
    sounds,
    admission: createCallAdmission(edge, live, writes),
    writeAtLast: endlesslyRetryingWriter(storing),
    joinCalls: (employeeId, own, asked) => joinCalls(edge, live, { employeeId, own, asked }),
    releaseCoworker: (internalCallId, employeeId) => live.internalOf(internalCallId)?.release(employeeId),
    ofCompany(companyId) {
      const ofIt = writes.of(companyId)
      return { ...parts, writes: ofIt, store: retryingWriter({ ...storing, db: ofIt }) }
    },
  }

  async function handle(call: IncomingCall): Promise<void> {
    if (live.size >= edge.callsMax)
      return refuseCall(edge, call, { status: 503, why: 'this edge has too many calls' })
    if (call.replaces !== undefined) return handleReplacingCall(parts, live, call, call.replaces)
    if (isPassedOn(call)) return handlePassedOnCode(parts, live, call)
    if (call.peer.kind === 'trunk') return handleInboundCall(parts, live, call)
    const owner = await edge.ownerOf(call.peer.username)
    if (!owner) return refuseCall(edge, call, { status: 403, why: 'the phone has been removed' })
    if (isRejoin(call)) return handleRejoin(parts, live, call, owner)
    const ofCompany = parts.ofCompany(owner.companyId)
    const code = readPhoneCode(call.uri)
    if (code) return handlePhoneCode({ parts: ofCompany, live, owner }, call, code)
    const coworker = await findDialledCoworker(edge, call, owner)
    return coworker
      ? handleInternalCall(ofCompany, live, call, { owner, coworker })
      : handleOutboundCall(ofCompany, live, call, owner)
  }

  return {
    handle(call) {
      legs.add(call)
      handle(call)
        .catch((err: unknown) => {
          log.error({ err }, 'a call failed')
          call.hangUp()
        })
        .finally(() => legs.delete(call))
    },
    async execute(_companyId, callId, input) {
      const command = EdgeCommand.parse(input)
      if (command.do === 'pick_up') return { ok: live.waitingOf(callId)?.pickUp(command.employeeId) ?? false }
      const conversation = live.conversationOf(callId)
      if (!conversation) return { ok: false }
      switch (command.do) {
        case 'start_transfer':
          return { ok: await conversation.startTransfer(command) }
        case 'complete_transfer':
          return { ok: await conversation.completeTransfer(command.transferId) }
        case 'cancel_transfer':
          return { ok: await conversation.cancelTransfer(command.transferId) }
        case 'start_conference':
          return { ok: await conversation.mergeTransfer(command.transferId) }
        case 'start_outside_transfer':
          return conversation.startOutsideTransfer(command.employeeId, command.number)
        case 'cancel_outside_transfer':
          return { ok: await conversation.cancelOutsideTransfer(command.outsideTransferId) }
        case 'park':
          return { ok: await conversation.park() }
        case 'retrieve':
          return { ok: await conversation.ringForParked(command.employeeId) }
        case 'stop_ringing':
          return { ok: await conversation.stopRinging(command.transferId) }
        case 'pause_recording':
          return { ok: true, state: await conversation.setRecordingPaused(true) }
        case 'resume_recording':
          return { ok: true, state: await conversation.setRecordingPaused(false) }
      }
    },
    offersChanged: (_companyId, callId) => live.waitingOf(callId)?.check(),
    stopRinging: (callId) => live.internalOf(callId)?.stopRinging(),
    employeeDeleted: (employeeId) => live.dismiss(employeeId),
    joinCalls: parts.joinCalls,
    releaseCoworker: parts.releaseCoworker,
    employeesInCalls: () => live.employees(),
    resync() {
      for (const waiting of live.allWaiting()) waiting.check()
    },
    liveCalls: () => live.size,
    drained() {
      parts.admission.close()
      return live.whenEmpty()
    },
    async stop() {
      parts.admission.close()
      for (const call of legs) call.hangUp()
      // Of a call that an employee placed and transferred, no INVITE is left.
      live.hangUp()
      // What cannot be written now, others write when they find this edge gone.
      await withTimeout(realTime, TELEPHONY_LIMITS.stopMs, live.whenEmpty())
      isOpen = false
      sounds.close()
    },
  }
}

import { EdgeCommand } from '../../modules/calls/index.ts'
import { inTime } from '../../platform/clock.ts'
import type { IncomingCall } from '../../sip/index.ts'
import { LIMITS } from '../limits.ts'
import type { CallControl, CreateCallControl } from '../port.ts'
import { followSounds } from '../sound/sounds.ts'
import { LiveCalls } from './calls-at-edge.ts'
import type { ControlParts } from './customer-call.ts'
import { takeInbound } from './inbound.ts'
import { takeOutbound } from './outbound.ts'
import { asksToRejoin, takeRejoin } from './rejoin.ts'
import { patientStore, stubbornStore } from './store.ts'

/** Decides what happens to every call of this edge. */
export const createCallControl: CreateCallControl = (exchange): CallControl => {
  const { log, realTime } = exchange
  const live = new LiveCalls()
  const legs = new Set<IncomingCall>()
  const sounds = followSounds(exchange.media)
  let isOpen = true
  const storing = { db: exchange.db, log, realTime, isOpen: () => isOpen }
  const parts: ControlParts = {
    exchange,
    sounds,
    store: patientStore(storing),
    storeAtLast: stubbornStore(storing),
  }

  async function handle(call: IncomingCall): Promise<void> {
    if (live.size >= LIMITS.callsMax) return call.reject(503)
    if (call.peer.kind === 'trunk') return takeInbound(parts, live, call)
    const owner = await exchange.ownerOf(call.peer.username)
    if (!owner) return call.reject(403)
    return asksToRejoin(call) ? takeRejoin(parts, live, call, owner) : takeOutbound(parts, live, call, owner)
  }

  return {
    take(call) {
      legs.add(call)
      handle(call)
        .catch((err: unknown) => {
          log.error({ err }, 'a call failed')
          call.hangUp()
        })
        .finally(() => legs.delete(call))
    },
    async carryOut(_companyId, callId, input) {
      const command = EdgeCommand.parse(input)
      const conversation = live.conversationOf(callId)
      if (!conversation) return { ok: false }
      switch (command.do) {
        case 'start_transfer':
          return { ok: await conversation.startTransfer(command.transferId, command.toEmployeeId) }
        case 'complete_transfer':
          return { ok: await conversation.completeTransfer(command.transferId) }
        case 'cancel_transfer':
          return { ok: await conversation.cancelTransfer(command.transferId) }
        case 'stop_ringing':
          return { ok: await conversation.stopRinging(command.transferId) }
      }
    },
    noticed: (_companyId, callId) => live.waitingOf(callId)?.look(),
    lookAgain() {
      for (const waiting of live.allWaiting()) waiting.look()
    },
    liveCalls: () => live.size,
    drained: () => live.whenEmpty(),
    async stop() {
      for (const call of legs) call.hangUp()
      // What cannot be written now, others write when they find this edge gone.
      await inTime(realTime, LIMITS.stopMs, live.whenEmpty())
      isOpen = false
      sounds.close()
    },
  }
}

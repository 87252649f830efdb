import type { LegId } from '../../media/port.ts'
import type { DeviceAccount } from '../../modules/devices/index.ts'
import { addressOfEdge } from '../../modules/edges/index.ts'
import { decodeId } from '../../platform/ids.ts'
import {
  type Binding,
  type Body,
  bodyText,
  type DigestCredentials,
  type IncomingCall,
  isSipUri,
  type OutgoingCall,
  sdpBody,
} from '../../sip/index.ts'
import { openMedia } from '../call/leg.ts'
import { releaseToEdge } from '../conversation/transfer/release-to-edge.ts'
import { linkByHeader } from '../monitoring/link-by-header.ts'
import { type CallRefusal, refuseCall } from '../monitoring/refuse-call.ts'
import type { CallControl, CallElsewhere, EdgePort, PhoneRoute } from '../port.ts'
import { invitePhone, openPhoneLeg } from '../ring/invite-phone.ts'
import { directRoute, routeToEdge } from '../ring/routes-to-phone.ts'
import { DIALLED_BY, FLOW_FAILED } from './peer-edges.ts'
import { createRelayedCalls, type RelayBeginning, type RelayedCall } from './relayed-calls.ts'

interface RelayParts
  extends
    Pick<EdgePort, 'db' | 'ua' | 'media' | 'log' | 'metrics' | 'trace' | 'realTime' | 'encryptionRefused'>,
    Pick<CallControl, 'joinCalls' | 'releaseCoworker'> {
  /** Edges authenticate to one another with these. */
  peerCredentials: DigestCredentials
  findDevice(username: string): Promise<DeviceAccount | undefined>
  /** By `bindingName`. */
  findLine(name: string): Binding | undefined
}

/** A call that is placed to one side of the relay, for the other side. */
interface Placing {
  incoming: IncomingCall
  /** Our answer to the SDP offer of the incoming call. */
  answer: Body
  outgoing: OutgoingCall
}

/** Connects phones that only this edge can reach with other edges, which have their calls. */
export function createRelay(parts: RelayParts) {
  const { media, log, metrics, trace, findLine, findDevice } = parts
  const calls = createRelayedCalls(parts)

  /** Another edge rings a phone that is registered here. */
  async function connect(incoming: IncomingCall): Promise<void> {
    const { uri, body } = incoming
    const refuse = (status: number, why: string, username?: string) =>
      refuseCall(parts, incoming, { status, why, details: { username } })
    const name = (isSipUri(uri) && uri.user) || ''
    const line = findLine(name)
    const internalCallId = decodeId('ica', name)
    if (!line && internalCallId === undefined) return refuse(FLOW_FAILED, 'the phone is not registered here')
    if (!body) return refuse(488, 'there is no SDP offer', line?.username)
    if (!line) return takeOver(incoming, internalCallId!, body)
    const { username } = line
    const caller = await media.createLeg({ offer: bodyText(body) })
    if (!caller.ok) return refuse(488, `the SDP offer does not fit: ${caller.why}`, username)
    const device = await findDevice(username)
    if (!device) {
      await media.close(caller.leg)
      return refuse(480, 'the phone has been deleted', username)
    }
    const from = { from: { ...incoming.from, params: new Map() }, headers: passedOnHeaders(incoming) }
    const placed = await place(incoming, directRoute(line, device), from, caller.leg)
    if (!placed) {
      await media.close(caller.leg)
      return refuse(500, 'there is no media leg for the phone', username)
    }
    linkByHeader(trace, idIn(incoming), incoming.id)
    const { outgoing, leg } = placed
    const relayed: RelayedCall = {
      edge: { call: incoming, leg: caller.leg, isHeld: false },
      phone: { call: outgoing, leg, isHeld: false },
      employeeId: device.employeeId,
      id: idIn(incoming),
      isAnswered: () => outgoing.isAnswered,
    }
    const placing = { incoming, answer: sdpBody(caller.sdp), outgoing }
    const lost = () => incoming.reject(FLOW_FAILED)
    await calls.start(relayed, { called: relayed.phone, lost, ...beginningOf(relayed, placing) })
  }

  /** A phone here has dialled something that another edge must handle, and has the conversation. */
  async function passOn(
    call: IncomingCall,
    { owner, edgeId, id }: CallElsewhere,
  ): Promise<CallRefusal | undefined> {
    const address = await addressOfEdge(parts.db.sql, edgeId)
    if (!address || !isSipUri(call.uri) || call.peer.kind !== 'device')
      return { status: 480, why: 'the edge that has the call is gone' }
    // Edges have G.711 among themselves.
    const caller = await openMedia(media, call, owner, { isNarrowband: true })
    if (!caller.ok) return caller.refusal
    const route = { ...routeToEdge(address, call.uri.user ?? ''), credentials: parts.peerCredentials }
    const headers = { [DIALLED_BY]: call.peer.username, 'x-bellhop-call': id }
    const placed = await place(
      call,
      route,
      { from: { ...call.from, params: new Map() }, headers },
      caller.leg,
    )
    if (!placed) {
      await media.close(caller.leg)
      return { status: 500, why: 'no media could be opened' }
    }
    linkByHeader(trace, id, call.id)
    const { outgoing, leg } = placed
    const relayed: RelayedCall = {
      edge: { call: outgoing, leg, isHeld: false },
      phone: { call, leg: caller.leg, isHeld: false },
      employeeId: owner.employeeId,
      id,
      isAnswered: () => outgoing.isAnswered,
    }
    const placing = { incoming: call, answer: caller.answer, outgoing }
    await calls.start(relayed, { called: relayed.edge, ...beginningOf(relayed, placing) })
    return undefined
  }

  /** Calls the other side. Undefined if there is no media for it, or the caller has hung up meanwhile. */
  async function place(
    incoming: IncomingCall,
    route: PhoneRoute,
    options: Parameters<typeof invitePhone>[3],
    near: LegId,
  ): Promise<{ outgoing: OutgoingCall; leg: string } | undefined> {
    const created = await openPhoneLeg(media, route, near)
    if (!created.ok) return undefined
    if (!incoming.isOver) return { outgoing: invitePhone(parts, route, created, options), leg: created.leg }
    await media.close(created.leg)
    return undefined
  }

  const beginningOf = (
    { edge, phone }: RelayedCall,
    { incoming, answer: ours, outgoing }: Placing,
  ): Omit<RelayBeginning, 'called'> => ({
    ringing: () => incoming.ring(),
    async answered(answer, isEarly) {
      const { leg } = edge.call === outgoing ? edge : phone
      const set = await media.setRemote(leg, { type: 'answer', sdp: bodyText(answer) })
      if (!set.ok) return outgoing.hangUp()
      await media.bridge(edge.leg, phone.leg)
      if (isEarly) incoming.progress(ours)
      else incoming.accept(ours)
    },
    refused: (status) => incoming.reject(status),
  })

  /** From now on the call with a coworker who was in an internal call of this edge is relayed. */
  async function takeOver(incoming: IncomingCall, internalCallId: string, body: Body): Promise<void> {
    const released = await releaseToEdge(parts, incoming, { internalCallId, body })
    if (!released)
      return refuseCall(parts, incoming, {
        status: 480,
        why: 'the coworker is no longer in the internal call',
      })
    const { employeeId, leg, near, answer } = released
    const relayed: RelayedCall = {
      edge: { call: incoming, leg: near, isHeld: false },
      phone: { call: leg.call, leg: leg.sound, isHeld: leg.isHeld },
      employeeId,
      id: idIn(incoming),
      isAnswered: () => true,
    }
    incoming.accept(answer)
    await calls.start(relayed)
    if (leg.isHeld) await calls.passOnHold(relayed.phone, relayed.edge, 'sendonly')
  }

  return {
    take(incoming: IncomingCall): void {
      connect(incoming).catch((err: unknown) => {
        log.warn({ err }, 'a call of another edge could not be relayed')
        if (!incoming.isOver) metrics.callsRefused.inc({ direction: 'relayed', status: UNAVAILABLE })
        incoming.hangUp()
      })
    },
    passOn,
    callWith: calls.callWith,
    keepDuring: calls.keepDuring,
    drained: calls.drained,
    stop: calls.stop,
  }
}

/** Of a call that is hung up before it is answered. */
const UNAVAILABLE = 480

const idIn = ({ request }: IncomingCall) => request.headers.get('x-bellhop-call') ?? ''

/** Header fields that tell phones about a call. */
const PASSED_ON = ['alert-info', 'call-info', 'x-bellhop-call', 'x-bellhop-number']

function passedOnHeaders({ request: { headers } }: IncomingCall): Record<string, string> {
  const found = PASSED_ON.map((name) => [name, headers.get(name)] as const)
  return Object.fromEntries(found.filter((pair): pair is [string, string] => pair[1] !== undefined))
}

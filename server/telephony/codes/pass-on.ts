import { addressOfEdge } from '../../modules/edges/index.ts'
import { inBackground } from '../../platform/background.ts'
import {
  bodyText,
  type CallEvent,
  type IncomingCall,
  isSipUri,
  type ReferRequest,
  sdpBody,
} from '../../sip/index.ts'
import type { ControlParts } from '../call/customer-call.ts'
import { applyAnswer, applyDelayedAnswer, Leg, openLeg } from '../call/leg.ts'
import { passOnRefer } from '../conversation/transfer/pass-on-refer.ts'
import { refuseCall } from '../monitoring/refuse-call.ts'
import type { DeviceOwner, EdgePort } from '../port.ts'
import { routeToEdge } from '../ring/routes-to-phone.ts'
import type { CodeRefusal } from './code-call.ts'
import { DIALLED_BY } from './passed-on.ts'

const GONE: CodeRefusal = { status: 480, why: 'the edge that has the call is gone' }

/** Connects a phone that dialled a code with the edge that has the call. That edge decides, and has the conversation. */
export async function passOnCode(
  { edge }: ControlParts,
  call: IncomingCall,
  { owner, edgeId }: { owner: DeviceOwner; edgeId: string },
): Promise<CodeRefusal | undefined> {
  const address = await addressOfEdge(edge.db.sql, edgeId)
  if (!address || !isSipUri(call.uri) || call.peer.kind !== 'device') return GONE
  const { target, ...media } = routeToEdge(address, call.uri.user ?? '')
  const opened = await openLeg(edge, call, owner)
  if (!opened.ok) {
    refuseCall(edge, call, opened.refusal)
    return undefined
  }
  const near = opened.leg
  near.follow((event) => applyDelayedAnswer(edge.media, near, event))
  const created = await edge.media.createLeg(media)
  if (!created.ok) return { status: 500, why: 'no media could be opened' }
  const outgoing = edge.ua.invite(target, {
    from: { ...call.from, params: new Map() },
    headers: { [DIALLED_BY]: call.peer.username },
    credentials: edge.peerCredentials,
    body: sdpBody(created.sdp),
  })
  const far = new Leg(edge, outgoing, created.leg)
  far.follow((event) => begin(event))
  async function begin(event: CallEvent): Promise<void> {
    if (event.type === 'answered') {
      if (!(await applyAnswer(edge.media, far, event.body)) || near.isOver) return far.hangUp()
      await edge.media.bridge(near.sound, far.sound)
      if (opened.ok) call.accept(opened.answer)
    } else if (event.type === 'ended') {
      if (event.ending.why === 'refused') call.reject(event.ending.status)
      else near.hangUp()
    }
  }
  relayEvents(edge, near, far)
  await near.ended
  far.hangUp()
  await far.ended
  return undefined
}

/** Passes on what the employee does on their phone: hold, DTMF digits, transfer. */
function relayEvents({ media, log, realTime }: EdgePort, near: Leg, far: Leg): void {
  let done: Promise<void> = Promise.resolve()
  async function hold(isHeld: boolean): Promise<void> {
    if (far.isOver) return
    far.isHolding = isHeld
    const offer = await media.hold(far.sound, isHeld ? 'sendonly' : 'sendrecv')
    const outcome = await far.call.reinvite(sdpBody(offer))
    if (!outcome.ok || !outcome.body) return far.hangUp()
    await media.setRemote(far.sound, { type: 'answer', sdp: bodyText(outcome.body) })
  }
  function askForTransfer(asked: ReferRequest): void {
    // Replaces names a call of this edge, which the other edge does not know.
    if (asked.replaces !== undefined) return asked.refuse(501)
    inBackground(log, 'pass on a transfer to another edge', passOnRefer(realTime, far.call, asked))
  }
  near.listener = {
    onHold: (isHeld) => {
      done = done.then(() => hold(isHeld))
      inBackground(log, 'pass on a hold to another edge', done)
    },
    onKey: (key) => {
      // Fails if the other side has just hung up, which does not matter.
      media.sendDigits(far.sound, [key]).catch(() => {})
    },
    onTransfer: askForTransfer,
  }
}

import type { Direction } from '../../media/port.ts'
import type { DeviceAccount } from '../../modules/devices/index.ts'
import { inBackground } from '../../platform/background.ts'
import { withTimeout } from '../../platform/clock.ts'
import { decodeId } from '../../platform/ids.ts'
import {
  type Binding,
  type Body,
  bodyText,
  type CallEvent,
  type IncomingCall,
  isSipUri,
  type OutgoingCall,
  type ReferRequest,
  type RemoteOffer,
  sdpBody,
  type SipCall,
} from '../../sip/index.ts'
import { passOnRefer, withOutcome } from '../conversation/transfer/pass-on-refer.ts'
import { releaseToEdge } from '../conversation/transfer/release-to-edge.ts'
import { TELEPHONY_LIMITS } from '../limits.ts'
import { linkByHeader } from '../monitoring/link-by-header.ts'
import { refuseCall } from '../monitoring/refuse-call.ts'
import type { CallControl, EdgePort, EmployeeCall } from '../port.ts'
import { invitePhone, openPhoneLeg } from '../ring/invite-phone.ts'
import { directRoute } from '../ring/routes-to-phone.ts'

interface RelayParts
  extends
    Pick<EdgePort, 'ua' | 'media' | 'log' | 'metrics' | 'trace' | 'realTime' | 'encryptionRefused'>,
    Pick<CallControl, 'joinCalls' | 'releaseCoworker'> {
  findDevice(username: string): Promise<DeviceAccount | undefined>
  /** By `bindingName`. */
  findLine(name: string): Binding | undefined
}

/** One side of the relay: its signalling and its media. */
interface Side {
  call: SipCall & Pick<OutgoingCall, 'hangUp'>
  leg: string
  /** One side has put the other on hold, so no media needs to arrive. */
  isHeld: boolean
}

/** The edge that has the call, and the device. */
interface Pair {
  near: Side & { call: IncomingCall }
  far: Side
  /** The owner of the device. */
  employeeId: string
  isAnswered(): boolean
  /** The phone has requested a transfer in this call, and has not learned the outcome. */
  joining?: Promise<unknown>
}

/** Connects another edge, which has the call, with a device that only this edge can reach. */
export function createRelay(parts: RelayParts) {
  const { media, log, metrics, trace, realTime, findLine, findDevice, joinCalls } = parts
  const running = new Set<Pair>()
  const whenIdle: (() => void)[] = []

  function finished(pair: Pair): void {
    running.delete(pair)
    if (running.size === 0) for (const tell of whenIdle.splice(0)) tell()
  }

  async function connect(incoming: IncomingCall): Promise<void> {
    const { uri, body } = incoming
    const refuse = (status: number, why: string, username?: string) =>
      refuseCall(parts, incoming, { status, why, details: { username } })
    const name = (isSipUri(uri) && uri.user) || ''
    const line = findLine(name)
    const internalCallId = decodeId('ica', name)
    if (!line && internalCallId === undefined) return refuse(480, 'the phone is not registered here')
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
    const route = directRoute(line, device)
    const callee = await openPhoneLeg(media, route)
    if (!callee.ok || incoming.isOver) {
      await media.close(caller.leg)
      if (callee.ok) await media.close(callee.leg)
      return refuse(500, 'there is no media leg for the phone', username)
    }
    const outgoing = invitePhone(parts, route, callee, {
      from: { ...incoming.from, params: new Map() },
      headers: passedOn(incoming),
    })
    linkByHeader(trace, incoming.request.headers.get('x-bellhop-call'), incoming.id)
    const pair: Pair = {
      near: { call: incoming, leg: caller.leg, isHeld: false },
      far: { call: outgoing, leg: callee.leg, isHeld: false },
      employeeId: device.employeeId,
      isAnswered: () => outgoing.isAnswered,
    }
    start(pair, {
      ringing: () => incoming.ring(),
      async answered(answer, isEarly) {
        const set = await media.setRemote(pair.far.leg, { type: 'answer', sdp: bodyText(answer) })
        if (!set.ok) return outgoing.hangUp()
        await media.bridge(pair.near.leg, pair.far.leg)
        if (isEarly) incoming.progress(sdpBody(caller.sdp))
        else incoming.accept(sdpBody(caller.sdp))
      },
      refused: (status) => incoming.reject(status),
    })
  }

  function start(pair: Pair, beginning?: Beginning): void {
    running.add(pair)
    follow(pair, pair.near, pair.far)
    follow(pair, pair.far, pair.near, beginning)
  }

  /** From now on the call with a coworker who was in an internal call of this edge is relayed. */
  async function takeOver(incoming: IncomingCall, internalCallId: string, body: Body): Promise<void> {
    const released = await releaseToEdge(parts, incoming, { internalCallId, body })
    if (!released)
      return refuseCall(parts, incoming, {
        status: 480,
        why: 'the coworker is no longer in the internal call',
      })
    const { employeeId, leg, near, answer } = released
    const pair: Pair = {
      near: { call: incoming, leg: near, isHeld: false },
      far: { call: leg.call, leg: leg.sound, isHeld: leg.isHeld },
      employeeId,
      isAnswered: () => true,
    }
    incoming.accept(answer)
    start(pair)
    if (leg.isHeld) await passOn(pair.far, pair.near, 'sendonly')
  }

  /** Passes the events of one side on to the other, in order. */
  function follow(pair: Pair, side: Side, other: Side, beginning?: Beginning): void {
    let done = Promise.resolve()
    side.call.listen((event) => {
      done = done
        .then(() => handle(event))
        .catch((err: unknown) => {
          log.warn({ err }, 'a relayed call failed')
          side.call.hangUp()
          other.call.hangUp()
        })
    })

    async function handle(event: CallEvent): Promise<void> {
      switch (event.type) {
        case 'ringing':
          return beginning?.ringing()
        case 'progress':
          return beginning?.answered(event.body, true)
        case 'answered':
          return event.body ? beginning?.answered(event.body, false) : side.call.hangUp()
        case 'offer':
          return change(side, other, event.offer)
        case 'offerAnswered':
          return complete(side, other, event.body)
        case 'info':
          return inBackground(log, 'pass on a DTMF digit', other.call.info(event.body))
        case 'transfer':
          return transfer(pair, event.transfer)
        case 'ended': {
          const { ending } = event
          // The coworker was taken out of this call: its end must not come before the report of the transfer.
          if (side === pair.near) await pair.joining
          if (beginning && ending.why === 'refused') beginning.refused(ending.status)
          else if (ending.why === 'cancelled' && ending.elsewhere) other.call.hangUp('elsewhere')
          else other.call.hangUp()
          await media.close(side.leg)
          return finished(pair)
        }
      }
    }
  }

  /** Not in the order of events: the conversation goes on while a transfer is pending. */
  function transfer(pair: Pair, asked: ReferRequest): void {
    const call = callOf(pair)
    if (asked.replaces === undefined) {
      call.transfer(asked).catch(() => asked.refuse(500))
      return
    }
    const { request, outcome } = withOutcome(asked)
    pair.joining = withTimeout(realTime, TELEPHONY_LIMITS.phoneTransferMs, outcome)
    joinCalls(pair.employeeId, call, request)
  }

  const callOf = ({ near: { call } }: Pair): EmployeeCall => ({
    id: call.request.headers.get('x-bellhop-call') ?? '',
    transfer: (asked) => passOnRefer(realTime, call, asked),
  })

  /** Answers before passing it on, so that two sides that hold each other at once do not deadlock. */
  async function change(side: Side, other: Side, offer: RemoteOffer): Promise<void> {
    if (!offer.body) return offer.accept(sdpBody(await media.reoffer(side.leg)))
    const set = await media.setRemote(side.leg, { type: 'offer', sdp: bodyText(offer.body) })
    if (!set.ok) return offer.refuse(488)
    offer.accept(sdpBody(set.sdp!))
    await passOn(side, other, set.direction)
  }

  async function complete(side: Side, other: Side, answer: Body | undefined): Promise<void> {
    const set = answer && (await media.setRemote(side.leg, { type: 'answer', sdp: bodyText(answer) }))
    if (!set?.ok) return side.call.hangUp()
    const isHeld = set.direction !== 'sendrecv'
    if (isHeld !== side.isHeld) await passOn(side, other, set.direction)
  }

  async function passOn(side: Side, other: Side, direction: Direction): Promise<void> {
    side.isHeld = other.isHeld = direction !== 'sendrecv'
    const asked = await media.hold(other.leg, REVERSED[direction])
    const outcome = await other.call.reinvite(sdpBody(asked))
    if (!outcome.ok || !outcome.body) return other.call.hangUp()
    await media.setRemote(other.leg, { type: 'answer', sdp: bodyText(outcome.body) })
  }

  const stopListening = media.listen((event) => {
    if (event.on !== 'leg.quiet' && event.on !== 'leg.lost') return
    const pair = [...running].find(({ near, far }) => [near.leg, far.leg].includes(event.leg))
    if (!pair) return
    const side = pair.near.leg === event.leg ? pair.near : pair.far
    if (event.on === 'leg.lost') side.call.hangUp()
    // Before the answer neither side need send anything.
    else if (pair.isAnswered()) probe(side).catch(() => side.call.hangUp())
  })

  /** No media from a side for a while. A peer that does not respond to a re-INVITE is gone: the call ends. */
  async function probe({ call, leg, isHeld }: Side): Promise<void> {
    if (isHeld || call.isOver) return
    const offer = sdpBody(await media.hold(leg, 'sendrecv'))
    const outcome = await call.reinvite(offer, TELEPHONY_LIMITS.probeMs)
    if (call.isOver || !outcome.ok || !outcome.body) return
    await media.setRemote(leg, { type: 'answer', sdp: bodyText(outcome.body) })
  }

  return {
    take(incoming: IncomingCall): void {
      connect(incoming).catch((err: unknown) => {
        log.warn({ err }, 'a call of another edge could not be relayed')
        if (!incoming.isOver) metrics.callsRefused.inc({ direction: 'relayed', status: UNAVAILABLE })
        incoming.hangUp()
      })
    },
    /** The call that an employee has in this dialog. */
    callWith(employeeId: string, dialog: string): EmployeeCall | undefined {
      const pair = [...running].find(
        (each) => each.employeeId === employeeId && each.far.call.hasDialog(dialog),
      )
      return pair && callOf(pair)
    },
    drained: () =>
      new Promise<void>((resolve) => {
        if (running.size === 0) resolve()
        else whenIdle.push(resolve)
      }),
    stop(): void {
      stopListening()
      for (const { near, far } of running) {
        near.call.hangUp()
        far.call.hangUp()
      }
    },
  }
}

/** Of a call that is hung up before it is answered. */
const UNAVAILABLE = 480

interface Beginning {
  ringing(): void
  answered(answer: Body, isEarly: boolean): Promise<void>
  refused(status: number): void
}

const REVERSED = {
  sendrecv: 'sendrecv',
  sendonly: 'recvonly',
  recvonly: 'sendonly',
  inactive: 'inactive',
} as const

/** Header fields that tell phones about a call. */
const PASSED_ON = ['alert-info', 'call-info', 'x-bellhop-call', 'x-bellhop-number']

function passedOn({ request: { headers } }: IncomingCall): Record<string, string> {
  const found = PASSED_ON.map((name) => [name, headers.get(name)] as const)
  return Object.fromEntries(found.filter((pair): pair is [string, string] => pair[1] !== undefined))
}

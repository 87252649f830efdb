import type { Direction } from '../../media/port.ts'
import type { DeviceAccount } from '../../modules/devices/index.ts'
import { inBackground } from '../../platform/background.ts'
import {
  type Binding,
  type Body,
  bodyText,
  type CallEvent,
  type IncomingCall,
  isSipUri,
  type OutgoingCall,
  printUri,
  type ReferRequest,
  type RemoteOffer,
  sdpBody,
} from '../../sip/index.ts'
import { TELEPHONY_LIMITS } from '../limits.ts'
import { linkByHeader } from '../monitoring/link-by-header.ts'
import type { EdgePort } from '../port.ts'
import { invitePhone, openPhoneLeg } from '../ring/invite-phone.ts'
import { directRoute } from '../ring/routes-to-phone.ts'

interface RelayParts extends Pick<EdgePort, 'ua' | 'media' | 'log' | 'trace' | 'encryptionRefused'> {
  findDevice(username: string): Promise<DeviceAccount | undefined>
  /** By `bindingName`. */
  findLine(name: string): Binding | undefined
}

/** One side of the relay: its signalling and its media. */
interface Side {
  call: IncomingCall | OutgoingCall
  leg: string
  /** One side has put the other on hold, so no media needs to arrive. */
  isHeld: boolean
}

/** The edge that has the call, and the device. */
interface Pair {
  near: Side
  far: Side & { call: OutgoingCall }
}

/** Connects another edge, which has the call, with a device that only this edge can reach. */
export function createRelay(parts: RelayParts) {
  const { media, log, trace, findLine, findDevice } = parts
  const running = new Set<Pair>()
  const whenIdle: (() => void)[] = []

  function finished(pair: Pair): void {
    running.delete(pair)
    if (running.size === 0) for (const tell of whenIdle.splice(0)) tell()
  }

  async function connect(incoming: IncomingCall): Promise<void> {
    const { uri, body } = incoming
    const line = findLine((isSipUri(uri) && uri.user) || '')
    if (!line) return incoming.reject(480)
    if (!body) return incoming.reject(488)
    const caller = await media.createLeg({ offer: bodyText(body) })
    if (!caller.ok) return incoming.reject(488)
    const device = await findDevice(line.username)
    if (!device) {
      await media.close(caller.leg)
      return incoming.reject(480)
    }
    const route = directRoute(line, device)
    const callee = await openPhoneLeg(media, route)
    if (!callee.ok || incoming.isOver) {
      await media.close(caller.leg)
      if (callee.ok) await media.close(callee.leg)
      return incoming.reject(500)
    }
    const outgoing = invitePhone(parts, route, callee, {
      from: { ...incoming.from, params: new Map() },
      headers: passedOn(incoming),
    })
    linkByHeader(trace, incoming.request.headers.get('x-bellhop-call'), incoming.id)
    const pair = {
      near: { call: incoming, leg: caller.leg, isHeld: false },
      far: { call: outgoing, leg: callee.leg, isHeld: false },
    }
    running.add(pair)
    follow(pair.near, pair.far, () => finished(pair))
    follow(pair.far, pair.near, () => finished(pair), {
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

  /** Passes the events of one side on to the other, in order. */
  function follow(side: Side, other: Side, ended: () => void, beginning?: Beginning): void {
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
          // Outside the order: the conversation goes on while a transfer is pending.
          refer(event.transfer, other).catch(() => event.transfer.refuse(500))
          return
        case 'ended': {
          const { ending } = event
          if (beginning && ending.why === 'refused') beginning.refused(ending.status)
          else if (ending.why === 'cancelled' && ending.elsewhere) other.call.hangUp('elsewhere')
          else other.call.hangUp()
          await media.close(side.leg)
          return ended()
        }
      }
    }
  }

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
    else if (pair.far.call.isAnswered) probe(side).catch(() => side.call.hangUp())
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
        incoming.hangUp()
      })
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

/** The edge that has the call decides. Its reports are passed back once the phone's subscription exists. */
async function refer(transfer: ReferRequest, other: Side): Promise<void> {
  // Replaces names a call of this edge, which the other edge does not know.
  if (transfer.replaces !== undefined) return transfer.refuse(501)
  const early: number[] = []
  let report: ReferRequest['report'] = (status) => early.push(status)
  const { target, referredBy } = transfer
  const status = await other.call.refer({ target: printUri(target), referredBy }, (each) => report(each))
  if (status >= 300) return transfer.refuse(status)
  transfer.accept()
  report = transfer.report
  for (const each of early) report(each)
}

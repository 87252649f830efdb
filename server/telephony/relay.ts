import type { MediaPort } from '../media/port.ts'
import type { Log } from '../platform/log.ts'
import {
  type Binding,
  type Body,
  type CallEvent,
  type IncomingCall,
  isSipUri,
  type OutgoingCall,
  type RemoteOffer,
  type UserAgent,
} from '../sip/index.ts'
import { soundOf } from './ways.ts'

interface RelayParts {
  ua: UserAgent
  media: MediaPort
  log: Log
  /** By `lineName`. */
  findLine(name: string): Binding | undefined
}

/** One party: its signalling and its sound. */
interface Side {
  call: IncomingCall | OutgoingCall
  leg: string
}

/** Joins another edge, which has the call, with a device that only this edge can reach. */
export function createRelay({ ua, media, log, findLine }: RelayParts) {
  const running = new Set<{ near: Side; far: Side }>()
  const whenIdle: (() => void)[] = []

  function finished(pair: { near: Side; far: Side }): void {
    running.delete(pair)
    if (running.size === 0) for (const tell of whenIdle.splice(0)) tell()
  }

  async function connect(incoming: IncomingCall): Promise<void> {
    const { uri, body } = incoming
    const line = findLine((isSipUri(uri) && uri.user) || '')
    if (!line) return incoming.reject(480)
    if (!body) return incoming.reject(488)
    const caller = await media.createLeg({ offer: textOf(body) })
    if (!caller.ok) return incoming.reject(488)
    const callee = await media.createLeg({ transport: soundOf(line) })
    if (!callee.ok || incoming.isOver) {
      await media.close(caller.leg)
      if (callee.ok) await media.close(callee.leg)
      return incoming.reject(500)
    }
    const outgoing = ua.invite(
      { to: 'device', binding: line },
      { from: { ...incoming.from, params: new Map() }, body: sdpOf(callee.sdp), headers: passedOn(incoming) },
    )
    const pair = { near: { call: incoming, leg: caller.leg }, far: { call: outgoing, leg: callee.leg } }
    running.add(pair)
    follow(pair.near, pair.far, () => finished(pair))
    follow(pair.far, pair.near, () => finished(pair), {
      ringing: () => incoming.ring(),
      async answered(answer, isEarly) {
        const set = await media.setRemote(pair.far.leg, { type: 'answer', sdp: textOf(answer) })
        if (!set.ok) return outgoing.hangUp()
        await media.bridge(pair.near.leg, pair.far.leg)
        if (isEarly) incoming.progress(sdpOf(caller.sdp))
        else incoming.accept(sdpOf(caller.sdp))
      },
      refused: (status) => incoming.reject(status),
    })
  }

  /** What one side does, in order, is passed on to the other. */
  function follow(side: Side, other: Side, ended: () => void, beginning?: Beginning): void {
    let done = Promise.resolve()
    side.call.listen((event) => {
      done = done
        .then(() => handle(event))
        .catch((err: unknown) => {
          log.warn({ err }, 'a relayed call broke')
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
        case 'info':
          return void other.call.info(event.body)
        case 'transfer':
          return event.transfer.refuse(501)
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

  /** Answered first and passed on then, so that two who hold each other at once do not wait for one another. */
  async function change(side: Side, other: Side, offer: RemoteOffer): Promise<void> {
    if (!offer.body) return offer.refuse(488)
    const set = await media.setRemote(side.leg, { type: 'offer', sdp: textOf(offer.body) })
    if (!set.ok) return offer.refuse(488)
    offer.accept(sdpOf(set.sdp!))
    const asked = await media.hold(other.leg, REVERSED[set.direction])
    const outcome = await other.call.reinvite(sdpOf(asked))
    if (!outcome.ok || !outcome.body) return other.call.hangUp()
    await media.setRemote(other.leg, { type: 'answer', sdp: textOf(outcome.body) })
  }

  return {
    take(incoming: IncomingCall): void {
      connect(incoming).catch((err: unknown) => {
        log.warn({ err }, 'a call of another edge could not be relayed')
        incoming.hangUp()
      })
    },
    drained: () =>
      new Promise<void>((resolve) => void (running.size === 0 ? resolve() : whenIdle.push(resolve))),
    stop(): void {
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

/** What phones are told about a call. */
const PASSED_ON = ['alert-info', 'call-info', 'x-bellhop-call', 'x-bellhop-number']

function passedOn({ request: { headers } }: IncomingCall): Record<string, string> {
  const found = PASSED_ON.map((name) => [name, headers.get(name)] as const)
  return Object.fromEntries(found.filter((pair): pair is [string, string] => pair[1] !== undefined))
}

const textOf = (body: Body) => body.bytes.toString()
const sdpOf = (sdp: string): Body => ({ contentType: 'application/sdp', bytes: Buffer.from(sdp) })

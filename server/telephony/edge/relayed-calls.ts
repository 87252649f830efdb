import type { Direction } from '../../media/port.ts'
import { inBackground } from '../../platform/background.ts'
import { withTimeout } from '../../platform/clock.ts'
import {
  type Body,
  bodyText,
  type CallEvent,
  type OutgoingCall,
  type ReferRequest,
  type RemoteOffer,
  sdpBody,
  type SipCall,
} from '../../sip/index.ts'
import { passOnRefer, withOutcome } from '../conversation/transfer/pass-on-refer.ts'
import { TELEPHONY_LIMITS } from '../limits.ts'
import type { CallControl, EdgePort, EmployeeCall } from '../port.ts'

interface RelayedCallsParts
  extends Pick<EdgePort, 'media' | 'log' | 'realTime'>, Pick<CallControl, 'joinCalls'> {}

/** One side of the relay: its signalling and its media. */
export interface RelaySide {
  call: SipCall & Pick<OutgoingCall, 'hangUp'>
  leg: string
  /** One side has put the other on hold, so no media needs to arrive. */
  isHeld: boolean
}

/** A phone that only this edge can reach, and the edge that has its call. Either may have called the other. */
export interface RelayedCall {
  phone: RelaySide
  edge: RelaySide
  /** The owner of the phone. */
  employeeId: string
  /** Of the call, as X-Bellhop-Call has it. */
  id: string
  isAnswered(): boolean
  /** The phone has requested a transfer in this call, and has not learned the outcome. */
  joining?: Promise<unknown>
  /** The phone has asked for something that concerns this call, and may hang up before that is done. */
  asking?: Promise<unknown>
}

/** The side that is called, and what its responses mean for the other. */
export interface RelayBeginning {
  called: RelaySide
  ringing(): void
  answered(answer: Body, isEarly: boolean): Promise<void>
  refused(status: number): void
  /** The phone did not respond, or its connection closed. */
  lost?(): void
}

/** The calls between a phone of this edge and the edge that has the conversation: what one side does reaches the other. */
export function createRelayedCalls({ media, log, realTime, joinCalls }: RelayedCallsParts) {
  const running = new Set<RelayedCall>()
  const whenIdle: (() => void)[] = []
  /** Who waits for the answer to a call. */
  const waiting = new Map<RelayedCall, () => void>()

  function settled(relayed: RelayedCall): void {
    waiting.get(relayed)?.()
    waiting.delete(relayed)
  }

  function finished(relayed: RelayedCall): void {
    running.delete(relayed)
    settled(relayed)
    if (running.size === 0) for (const tell of whenIdle.splice(0)) tell()
  }

  /** Passes the events of one side on to the other, in order. */
  function follow(relayed: RelayedCall, side: RelaySide, other: RelaySide, beginning?: RelayBeginning): void {
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
          if (!event.body) return side.call.hangUp()
          await beginning?.answered(event.body, false)
          return settled(relayed)
        case 'connected':
          // Only a side that sent no SDP offer has its answer to ours here.
          return event.body && complete(side, other, event.body)
        case 'offer':
          return change(side, other, event.offer)
        case 'offerAnswered':
          return complete(side, other, event.body)
        case 'info':
          return inBackground(log, 'pass on a DTMF digit', other.call.info(event.body))
        case 'transfer':
          return transfer(relayed, event.transfer)
        case 'ended': {
          const { ending } = event
          // The coworker was taken out of this call: its end must not come before the report of the transfer.
          await (side === relayed.edge ? relayed.joining : relayed.asking)
          if (beginning && ending.why === 'refused') beginning.refused(ending.status)
          else if (beginning?.lost && ending.why === 'lost') beginning.lost()
          else if (ending.why === 'cancelled' && ending.elsewhere) other.call.hangUp('elsewhere')
          else other.call.hangUp()
          await media.close(side.leg)
          return finished(relayed)
        }
      }
    }
  }

  /** Not in the order of events: the conversation goes on while a transfer is pending. */
  function transfer(relayed: RelayedCall, asked: ReferRequest): void {
    const call = callOf(relayed)
    if (asked.replaces === undefined) {
      call.transfer(asked).catch(() => asked.refuse(500))
      return
    }
    const { request, outcome } = withOutcome(asked)
    relayed.joining = withTimeout(realTime, TELEPHONY_LIMITS.phoneTransferMs, outcome)
    joinCalls(relayed.employeeId, call, request)
  }

  const callOf = ({ id, edge }: RelayedCall): EmployeeCall => ({
    id,
    transfer: (asked) => passOnRefer(realTime, edge.call, asked),
  })

  /** Answers before passing it on, so that two sides that hold each other at once do not deadlock. */
  async function change(side: RelaySide, other: RelaySide, offer: RemoteOffer): Promise<void> {
    if (!offer.body) return offer.accept(sdpBody(await media.reoffer(side.leg)))
    const set = await media.setRemote(side.leg, { type: 'offer', sdp: bodyText(offer.body) })
    if (!set.ok) return offer.refuse(488)
    offer.accept(sdpBody(set.sdp!))
    await passOnHold(side, other, set.direction)
  }

  async function complete(side: RelaySide, other: RelaySide, answer: Body | undefined): Promise<void> {
    const set = answer && (await media.setRemote(side.leg, { type: 'answer', sdp: bodyText(answer) }))
    if (!set?.ok) return side.call.hangUp()
    const isHeld = set.direction !== 'sendrecv'
    if (isHeld !== side.isHeld) await passOnHold(side, other, set.direction)
  }

  async function passOnHold(side: RelaySide, other: RelaySide, direction: Direction): Promise<void> {
    side.isHeld = other.isHeld = direction !== 'sendrecv'
    const asked = await media.hold(other.leg, REVERSED[direction])
    const outcome = await other.call.reinvite(sdpBody(asked))
    if (!outcome.ok || !outcome.body) return other.call.hangUp()
    await media.setRemote(other.leg, { type: 'answer', sdp: bodyText(outcome.body) })
  }

  const stopListening = media.listen((event) => {
    if (event.on !== 'leg.quiet' && event.on !== 'leg.lost') return
    const relayed = [...running].find(({ edge, phone }) => [edge.leg, phone.leg].includes(event.leg))
    if (!relayed) return
    const side = relayed.edge.leg === event.leg ? relayed.edge : relayed.phone
    if (event.on === 'leg.lost') side.call.hangUp()
    // Before the answer neither side need send anything.
    else if (relayed.isAnswered()) probe(side).catch(() => side.call.hangUp())
  })

  /** No media from a side for a while. A peer that does not respond to a re-INVITE is gone: the call ends. */
  async function probe({ call, leg, isHeld }: RelaySide): Promise<void> {
    if (isHeld || call.isOver) return
    const offer = sdpBody(await media.hold(leg, 'sendrecv'))
    const outcome = await call.reinvite(offer, TELEPHONY_LIMITS.probeMs)
    if (call.isOver || !outcome.ok || !outcome.body) return
    await media.setRemote(leg, { type: 'answer', sdp: bodyText(outcome.body) })
  }

  return {
    /** Without a beginning, both sides have answered. Resolves when the called side has answered or refused. */
    start(relayed: RelayedCall, beginning?: RelayBeginning): Promise<void> {
      running.add(relayed)
      const answer = new Promise<void>((resolve) => {
        if (beginning) waiting.set(relayed, resolve)
        else resolve()
      })
      const { edge, phone } = relayed
      const beginningOf = (side: RelaySide) => (beginning?.called === side ? beginning : undefined)
      follow(relayed, edge, phone, beginningOf(edge))
      follow(relayed, phone, edge, beginningOf(phone))
      return answer
    },
    keepDuring(employeeId: string, asking: Promise<unknown>): void {
      // Whoever asked learns of a failure.
      const quietly = asking.catch(() => {})
      for (const relayed of running)
        if (relayed.employeeId === employeeId)
          relayed.asking = withTimeout(realTime, TELEPHONY_LIMITS.phoneTransferMs, quietly)
    },
    passOnHold,
    /** The call that an employee has in this dialog. */
    callWith(employeeId: string, dialog: string): EmployeeCall | undefined {
      const relayed = [...running].find(
        (each) => each.employeeId === employeeId && each.phone.call.hasDialog(dialog),
      )
      return relayed && callOf(relayed)
    },
    drained: () =>
      new Promise<void>((resolve) => {
        if (running.size === 0) resolve()
        else whenIdle.push(resolve)
      }),
    stop(): void {
      stopListening()
      for (const { edge, phone } of running) {
        edge.call.hangUp()
        phone.call.hangUp()
      }
    },
  }
}

const REVERSED = {
  sendrecv: 'sendrecv',
  sendonly: 'recvonly',
  recvonly: 'sendonly',
  inactive: 'inactive',
} as const

import type { Dependencies } from '../../../platform/dependencies.ts'
import { WEBHOOK_LIMITS } from '../limits.ts'
import { attemptResultOf } from './attempt-result.ts'
import { writeCheckpoint } from './checkpoint.ts'
import type { LeaseRow } from './lease-queries.ts'
import type { PayloadBuilder } from './payload-builder.ts'
import { type Payloads, readPayloads } from './payloads.ts'
import type { Pacing } from './prefetch/pacing.ts'
import { createPrefetchWindow, type PrefetchWindow } from './prefetch/prefetch-window.ts'
import { type AttemptResult, type DueDelivery, selectDue } from './queries.ts'
import type { DeliveryRequest } from './sending/delivery-request.ts'
import { endDeliverySpan, startDeliverySpan } from './sending/delivery-span.ts'
import type { EndedAttempt, WebhookSender } from './sending/sender.ts'

export interface DeliveryPollerParts extends Dependencies<'db' | 'clock' | 'log' | 'tracer'> {
  payloads: PayloadBuilder
  sender: WebhookSender
  pacing: Pacing
  /** Between 0 and 1. */
  chance: () => number
  /** A uuid of this worker. */
  holder: string
}

/** A worker's share of the database: its leases, the deliveries it has read, and the outcomes yet to be written. */
export function createDeliveryPoller(parts: DeliveryPollerParts) {
  const { db, clock, log, payloads, sender, pacing, chance, holder, tracer } = parts
  const lanes = new Map<string, PrefetchWindow>()
  /** Dropped while a turn waited for the database, whose result is then out of date. */
  const dropped = new Set<string>()
  let finished: AttemptResult[] = []
  /** The seconds in which deliveries that failed here are due again, unless that is long after now. */
  const retries = new Set<number>()
  let sending = 0
  let looking = true

  const now = () => clock.now().getTime()
  const open = () => [...lanes.values()].filter((lane) => lane.until !== undefined)
  const share = () => Math.floor(WEBHOOK_LIMITS.held / Math.max(1, lanes.size))

  async function poll(pace = true): Promise<void> {
    const saving = finished
    finished = []
    dropped.clear()
    const ours = open()
    const releasing = ours.filter((lane) => lane.exhausted && lane.held.size === 0)
    const kept = ours.filter((lane) => !releasing.includes(lane))
    const renewing = kept.filter((lane) => lane.until! - now() <= WEBHOOK_LIMITS.renewMs)
    const limit = looking ? Math.min(WEBHOOK_LIMITS.leasedAtOnce, WEBHOOK_LIMITS.leases - kept.length) : 0
    const until = now() + WEBHOOK_LIMITS.leaseMs
    if (looking) for (const lane of kept) lane.exhausted = false
    if (looking) for (const second of retries) if (second * 1_000 <= now()) retries.delete(second)
    looking = false
    try {
      const terms = { holder, now: clock.now(), until: new Date(until) }
      const written = await writeCheckpoint(db, terms, { saving, releasing, renewing, kept, limit })
      releasing.forEach(closeLane)
      const renewed = new Set(written.renewed.map((row) => row.subscriptionId))
      for (const lane of renewing) if (!renewed.has(lane.subscriptionId)) closeLane(lane)
      for (const row of [...written.renewed, ...written.taken]) hold(row, until)
      looking ||= limit > 0 && written.taken.length === limit
    } catch (error) {
      finished = [...saving, ...finished]
      looking = true
      throw error
    }
    for (const one of saving) lanes.get(one.subscriptionId)?.forget(one.id)
    forgetIdle()
    await read(pace)
  }

  function hold(row: LeaseRow, until: number): void {
    const { companyId, subscriptionId } = row
    if (dropped.has(subscriptionId)) return
    const endpoint = payloads.endpointOf(row)
    if (!endpoint) {
      log.error(
        { subscription: subscriptionId },
        'nothing is sent to a webhook because its secret cannot be decrypted: rotate it, or delete the webhook',
      )
      return
    }
    const lane = lanes.get(subscriptionId) ?? createPrefetchWindow(companyId, subscriptionId)
    lanes.set(subscriptionId, lane)
    if (lane.until === undefined) lane.exhausted = false
    lane.until = until
    sender.open(subscriptionId, endpoint, until)
  }

  function closeLane(lane: PrefetchWindow): void {
    lane.until = undefined
    sender.close(lane.subscriptionId)
  }

  async function read(pace: boolean): Promise<void> {
    const lowest = share()
    const rooms = new Map<string, number>()
    const wanted = open().flatMap((lane) => {
      const wants = lane.exhausted ? 0 : lane.room(lowest)
      if (wants === 0) return []
      const left = pace ? (rooms.get(lane.companyId) ?? pacing.room(lane.companyId)) : Infinity
      const room = Math.min(wants, left)
      rooms.set(lane.companyId, left - room)
      return room > 0 ? [{ lane, room }] : []
    })
    if (wanted.length === 0) return
    const asked = wanted.map(({ lane: { companyId, subscriptionId }, room }) => ({
      companyId,
      subscriptionId,
      room,
    }))
    const held = wanted.flatMap(({ lane }) => [...lane.held.keys()])
    for (const { lane } of wanted) lane.exhausted = true
    const rows = await selectDue(db.sql, holder, asked, held, clock.now())
    const found = wanted.map((): DueDelivery[] => [])
    for (const due of rows) found[due.place - 1]!.push(due)
    const companyOf = (due: DueDelivery) => asked[due.place - 1]!.companyId
    const bodies = await readPayloads(db.sql, payloads, rows, companyOf, tracer)
    for (const [index, { lane, room }] of wanted.entries()) {
      const dues = found[index]!
      if (dues.length >= room) lane.exhausted = false
      if (dues.length > 0) pacing.use(lane.companyId, dues.length)
      if (lane.until !== undefined && dues.length > 0) handOver(lane, dues, bodies)
    }
  }

  function handOver(lane: PrefetchWindow, dues: DueDelivery[], bodies: Payloads): void {
    const parcels: DeliveryRequest[] = []
    for (const due of dues) {
      const ofEvent = bodies.get(due.eventId)
      // Just deleted, because it is a month old.
      if (!ofEvent) continue
      const parcel: DeliveryRequest = { id: due.id, body: ofEvent.bodies.get(due.eventName) }
      const span = tracer && startDeliverySpan(tracer, ofEvent.ofCall, lane.subscriptionId, due)
      if (span) parcel.traceparent = span.traceparent
      parcels.push(parcel)
      lane.enter(span ? { ...due, span } : due)
    }
    sending += parcels.length
    sender.send(lane.subscriptionId, parcels)
  }

  function end(ended: EndedAttempt): { isLow: boolean } {
    const { subscriptionId, id, outcome, start, end } = ended
    sending--
    const lane = lanes.get(subscriptionId)!
    lane.leave(outcome)
    if (!outcome.ok && outcome.why === 'called_off') {
      lane.forget(id)
      lane.exhausted = false
    } else {
      const due = lane.held.get(id)!
      const result = attemptResultOf(lane, due, outcome, { start, end, chance })
      if (due.span) endDeliverySpan(due.span, ended)
      if (result.gone) closeLane(lane)
      finished.push(result)
      noteRetry(result)
    }
    return { isLow: isLow(lane) && pacing.room(lane.companyId) > 0 }
  }

  const isLow = (lane: PrefetchWindow) =>
    lane.until !== undefined && !lane.exhausted && lane.room(share()) > 0

  function noteRetry({ nextAttemptAt }: AttemptResult): void {
    const dueAt = nextAttemptAt === null ? Infinity : Date.parse(nextAttemptAt)
    if (dueAt - now() <= WEBHOOK_LIMITS.punctualRetryMs) retries.add(Math.ceil(dueAt / 1_000))
  }

  function forgetIdle(): void {
    for (const [id, lane] of lanes) {
      if (lanes.size <= WEBHOOK_LIMITS.remembered) return
      if (lane.until === undefined && lane.held.size === 0) lanes.delete(id)
    }
  }

  function drop(subscriptionId: string): void {
    dropped.add(subscriptionId)
    const lane = lanes.get(subscriptionId)
    if (lane) closeLane(lane)
  }

  async function release(): Promise<void> {
    const releasing = open()
    const terms = { holder, now: clock.now(), until: clock.now() }
    await writeCheckpoint(db, terms, { saving: finished, releasing, renewing: [], kept: [], limit: 0 })
    for (const one of finished) lanes.get(one.subscriptionId)?.forget(one.id)
    finished = []
    releasing.forEach(closeLane)
  }

  return {
    /** Writes outcomes, takes free leases and passes on due deliveries, of no company too many; one turn at a time. */
    poll,
    /** The next turn takes free leases. */
    requestPoll(): void {
      looking = true
    },
    /** Whether it will: it was asked to, or the last turn could not take all. */
    isLooking: (): boolean => looking,
    /** How soon to look again, if nothing is notified of. */
    nextPollMs(): number {
      const leased = open()
      if (leased.some(isLow)) return WEBHOOK_LIMITS.pacedMs
      if (leased.length > 0) return WEBHOOK_LIMITS.pollMs
      return Math.max(0, Math.min(WEBHOOK_LIMITS.idlePollMs, Math.min(...retries) * 1_000 - now()))
    },
    /** Records the outcome of a delivery; returns whether more of its subscription should be read soon. */
    end,
    /** Unsent deliveries of the subscription must not be sent with the old settings. */
    drop,
    dropAll(): void {
      for (const id of lanes.keys()) drop(id)
    },
    /** Number of deliveries at the sender. */
    sending: (): number => sending,
    /** Number of outcomes not yet written. */
    unwritten: (): number => finished.length,
    /** Cancels unsent deliveries. */
    callOffWaiting(): void {
      for (const id of lanes.keys()) sender.close(id)
    },
    /** Writes outcomes and releases all leases. */
    release,
  }
}

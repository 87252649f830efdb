import type { Sql } from '../../../platform/db/database.ts'
import type { SpanContext, Tracer } from '../../../platform/tracing/span.ts'
import type { PayloadBuilder } from './payload-builder.ts'
import { type DueDelivery, type EventRef, selectEvents } from './queries.ts'
import { traceOfEvent } from './sending/delivery-span.ts'

interface EventPayloads {
  /** By event name; undefined if it cannot be decrypted. */
  bodies: Map<string, Uint8Array | undefined>
  /** The trace of its call, if it is about one. */
  ofCall: SpanContext | undefined
}

/** By event id. */
export type Payloads = Map<string, EventPayloads>

/** Each event is read, and its payload built, once for all its deliveries. */
export async function readPayloads(
  sql: Sql,
  payloads: PayloadBuilder,
  dues: DueDelivery[],
  companyOf: (due: DueDelivery) => string,
  tracer: Tracer | undefined,
): Promise<Payloads> {
  const wanted = new Map<string, { ref: EventRef; names: Set<string> }>()
  for (const due of dues) {
    const { eventId, eventName } = due
    const known = wanted.get(eventId)
    if (known) known.names.add(eventName)
    else wanted.set(eventId, { ref: { companyId: companyOf(due), eventId }, names: new Set([eventName]) })
  }
  const found: Payloads = new Map()
  if (wanted.size === 0) return found
  const refs = Array.from(wanted.values(), ({ ref }) => ref)
  for (const event of await selectEvents(sql, refs)) {
    const ofEvent: EventPayloads = { bodies: new Map(), ofCall: tracer && traceOfEvent(tracer, event) }
    for (const name of wanted.get(event.id)!.names) ofEvent.bodies.set(name, payloads.bodyOf(event, name))
    found.set(event.id, ofEvent)
  }
  return found
}

import type { Sql } from '../../../platform/db/database.ts'
import type { PayloadBuilder } from './payload-builder.ts'
import { type DueDelivery, type EventRef, selectEvents } from './queries.ts'

/** By event id, and then by event name; undefined if it cannot be decrypted. */
export type Payloads = Map<string, Map<string, Uint8Array | undefined>>

/** Each event is read, and its payload built, once for all its deliveries. */
export async function readPayloads(
  sql: Sql,
  payloads: PayloadBuilder,
  dues: DueDelivery[],
  companyOf: (due: DueDelivery) => string,
): Promise<Payloads> {
  const wanted = new Map<string, { ref: EventRef; names: Set<string> }>()
  for (const due of dues) {
    const { eventId, eventName } = due
    const known = wanted.get(eventId)
    if (known) known.names.add(eventName)
    else wanted.set(eventId, { ref: { companyId: companyOf(due), eventId }, names: new Set([eventName]) })
  }
  const bodies: Payloads = new Map()
  if (wanted.size === 0) return bodies
  const refs = Array.from(wanted.values(), ({ ref }) => ref)
  for (const event of await selectEvents(sql, refs)) {
    const ofEvent = new Map<string, Uint8Array | undefined>()
    for (const name of wanted.get(event.id)!.names) ofEvent.set(name, payloads.bodyOf(event, name))
    bodies.set(event.id, ofEvent)
  }
  return bodies
}

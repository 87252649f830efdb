import { z } from 'zod'

import { type EventData, type EventName, EVENTS, OLDER_EVENT_NAMES } from '../../events.ts'
import type { Vault } from '../../platform/crypto/crypto.ts'
import type { Tx } from '../../platform/db/database.ts'
import { publish } from '../../platform/db/pubsub.ts'
import { insertEventForSubscribers, nextEventId } from './queries.ts'

/** Tells workers that there is something to deliver. */
export const DELIVERIES_WAITING = 'webhook_deliveries'

/** Tells workers which subscription goes elsewhere from now on, is signed otherwise, paused or deleted. */
export const SUBSCRIPTION_CHANGED = 'webhook_subscription_changed'

/**
 * Part of the caller's transaction: subscribers are told if, and only if, that commits. Who is subscribed is decided
 * here and now, so that a subscription that is paused at this moment never hears of it.
 */
export async function recordEvent<Name extends EventName>(
  tx: Tx,
  companyId: string,
  name: Name,
  data: EventData<Name>,
  { recordingKey = null }: { recordingKey?: string | null } = {},
): Promise<void> {
  const json = JSON.stringify(z.encode(EVENTS[name].data, data))
  const event = { names: namesOf(name), json, recordingKey }
  if (await insertEventForSubscribers(tx, companyId, event)) await publish(tx, DELIVERIES_WAITING, '')
}

/**
 * The same for what must not be readable in the database: the data is sealed, and opened when it is delivered. Made
 * only if somebody is subscribed, as most often nobody is.
 */
export async function recordSealedEvent<Name extends EventName>(
  tx: Tx,
  companyId: string,
  name: Name,
  vault: Vault,
  data: () => Promise<EventData<Name>>,
): Promise<void> {
  const names = namesOf(name)
  const id = await nextEventId(tx, companyId, names)
  if (!id) return
  const json = JSON.stringify(z.encode(EVENTS[name].data, await data()))
  const sealed = vault.seal(json, eventData(companyId, id))
  if (await insertEventForSubscribers(tx, companyId, { id, names, sealed }))
    await publish(tx, DELIVERIES_WAITING, '')
}

/** What sealed data belongs to. */
export const eventData = (companyId: string, eventId: string) => `event ${companyId} ${eventId}`

/** The current name first. */
function namesOf(name: EventName): string[] {
  const older = Object.entries(OLDER_EVENT_NAMES).filter(([, current]) => current === name)
  return [name, ...older.map(([old]) => old)]
}

import { z } from 'zod'

import { type EventData, type EventName, EVENTS, OLDER_EVENT_NAMES } from '../../events.ts'
import type { Vault } from '../../platform/crypto/crypto.ts'
import type { Tx } from '../../platform/db/database.ts'
import { publish } from '../../platform/db/pubsub.ts'
import { type ChangeAudience, insertEventForSubscribers, nextEventId } from './queries.ts'

/** Notifies workers of new deliveries. */
export const DELIVERIES_WAITING_CHANNEL = 'webhook_deliveries'

/** Notifies workers of a subscription whose URL or secret changed, or that was paused or deleted. */
export const SUBSCRIPTION_CHANGED_CHANNEL = 'webhook_subscription_changed'

/**
 * Part of the caller's transaction: the event is delivered if and only if that commits. The subscribers are
 * determined now, so that a subscription that is paused at this moment never gets it.
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
  if (await insertEventForSubscribers(tx, companyId, event)) await publish(tx, DELIVERIES_WAITING_CHANNEL, '')
}

/**
 * The same for data that must not be readable in the database: it is sealed, and opened for delivery. Built only if
 * there is a subscriber, because most often there is none.
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
  const sealed = vault.seal(json, eventDataContext(companyId, id))
  if (await insertEventForSubscribers(tx, companyId, { id, names, sealed }))
    await publish(tx, DELIVERIES_WAITING_CHANNEL, '')
}

/** Binds sealed data to its event. */
export const eventDataContext = (companyId: string, eventId: string) => `event ${companyId} ${eventId}`

/** Whether somebody is subscribed to the event, also under an older name. */
export const isSubscribed = ({ events }: ChangeAudience, name: EventName): boolean =>
  namesOf(name).some((each) => events.includes(each))

/** The current name first. */
function namesOf(name: EventName): string[] {
  const older = Object.entries(OLDER_EVENT_NAMES).filter(([, current]) => current === name)
  return [name, ...older.map(([old]) => old)]
}

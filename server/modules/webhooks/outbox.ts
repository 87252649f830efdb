import { z } from 'zod'

import { type EventData, type EventName, EVENTS, OLDER_EVENT_NAMES } from '../../events.ts'
import type { Tx } from '../../platform/db/database.ts'
import { publish } from '../../platform/pubsub.ts'
import { insertEventForSubscribers } from './queries.ts'

/** Tells workers that there is something to deliver. */
export const DELIVERIES_WAITING = 'webhook_deliveries'

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

/** The current name first. */
function namesOf(name: EventName): string[] {
  const older = Object.entries(OLDER_EVENT_NAMES).filter(([, current]) => current === name)
  return [name, ...older.map(([old]) => old)]
}

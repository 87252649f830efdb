import type { Clock } from '../../platform/clock.ts'
import type { Queryable, Tx } from '../../platform/db/database.ts'
import { publish } from '../../platform/db/pubsub.ts'
import { AppError, fail, notFound } from '../../platform/errors.ts'
import type { Actor } from '../../platform/http/route.ts'
import { encodeId } from '../../platform/ids.ts'
import {
  type DeliveryRow,
  insertDelivery,
  selectDeliveriesBefore,
  updateForReplay,
} from './delivery-log-queries.ts'
import { DELIVERIES_WAITING_CHANNEL } from './outbox.ts'
import type { Delivery, DeliveryPage, DeliveryPageQuery, Subscription } from './schemas.ts'
import { readSubscription } from './subscriptions.ts'

const webhookPaused = () =>
  new AppError({ status: 409, code: 'webhook_paused', message: 'Set active to true first.' })

export async function listDeliveries(
  sql: Queryable,
  actor: Actor,
  id: string,
  { cursor, limit }: DeliveryPageQuery,
): Promise<DeliveryPage> {
  await readSubscription(sql, actor, id)
  const rows = await selectDeliveriesBefore(sql, actor.companyId, id, cursor, limit + 1)
  const page = rows.slice(0, limit)
  return {
    deliveries: page.map(present),
    next_cursor: rows.length > limit ? encodeId('del', page.at(-1)!.id) : null,
  }
}

/** Whatever its outcome, it is delivered again with all retries; after the attempt in progress, if any. */
export async function replayDelivery(
  tx: Tx,
  clock: Clock,
  actor: Actor,
  id: string,
  deliveryId: string,
): Promise<Delivery> {
  await requireActive(tx, actor, id)
  const row = await updateForReplay(tx, actor.companyId, id, deliveryId, clock.now())
  return sent(tx, row ?? fail(notFound()))
}

/** Delivered like any other event, but to this subscription only, whatever its events. */
export async function sendTest(tx: Tx, actor: Actor, id: string): Promise<Delivery> {
  const { name } = await requireActive(tx, actor, id)
  const data = { webhook: { id: encodeId('web', id), name } }
  return sent(tx, await insertDelivery(tx, actor.companyId, id, 'webhook.test', JSON.stringify(data)))
}

async function requireActive(tx: Tx, actor: Actor, id: string): Promise<Subscription> {
  const subscription = await readSubscription(tx, actor, id)
  if (!subscription.active) throw webhookPaused()
  return subscription
}

async function sent(tx: Tx, row: DeliveryRow): Promise<Delivery> {
  await publish(tx, DELIVERIES_WAITING_CHANNEL, '')
  return present(row)
}

function present({ next_attempt_at, ...row }: DeliveryRow): Delivery {
  return { ...row, next_attempt_at: next_attempt_at ?? (row.status === 'pending' ? row.created_at : null) }
}

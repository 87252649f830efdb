import { newSigningSecret } from '../../platform/crypto/standard-webhooks.ts'
import type { Queryable, Tx } from '../../platform/db/database.ts'
import { publish } from '../../platform/db/pubsub.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { fail, notFound } from '../../platform/errors.ts'
import type { Actor } from '../../platform/http/route.ts'
import { requireSafeUrl, type UrlRules } from '../../platform/net/safe-url.ts'
import { SUBSCRIPTION_CHANGED_CHANNEL } from './outbox.ts'
import {
  deleteSubscriptionRow,
  insertSubscription,
  nextSubscriptionId,
  rotateSecretRow,
  selectSubscription,
  selectSubscriptions,
  updateSubscriptionRow,
} from './queries.ts'
import type {
  Subscription,
  SubscriptionCreate,
  SubscriptionUpdate,
  SubscriptionWithSecret,
} from './schemas.ts'

/** How long deliveries are also signed with the old secret. */
const OVERLAP_MS = 24 * 60 * 60 * 1000

export interface SubscriptionParts extends Dependencies<'db' | 'clock' | 'vault'> {
  rules: UrlRules
}

/** The secret is returned only here. */
export async function createSubscription(
  { db, vault, rules }: SubscriptionParts,
  actor: Actor,
  input: SubscriptionCreate,
): Promise<SubscriptionWithSecret> {
  await requireSafeUrl(input.url, rules)
  const signing_secret = newSigningSecret()
  const row = await db.tx(async (tx) => {
    const id = await nextSubscriptionId(tx)
    const secret_sealed = vault.seal(signing_secret, webhookSecretContext(id))
    return insertSubscription(tx, actor.companyId, { ...input, id, secret_sealed })
  })
  return { ...row, signing_secret }
}

/** For a day both secrets verify, so that the receiver can switch over. */
export async function rotateSecret(
  { db, vault, clock }: SubscriptionParts,
  actor: Actor,
  id: string,
): Promise<SubscriptionWithSecret> {
  const signing_secret = newSigningSecret()
  const secretSealed = vault.seal(signing_secret, webhookSecretContext(id))
  const previousUntil = new Date(clock.now().getTime() + OVERLAP_MS)
  return db.tx(async (tx) => {
    const secrets = { secretSealed, previousUntil }
    const row = (await rotateSecretRow(tx, actor.companyId, id, secrets)) ?? fail(notFound())
    await publish(tx, SUBSCRIPTION_CHANGED_CHANNEL, id)
    return { ...row, signing_secret }
  })
}

export async function updateSubscription(
  { db, rules }: SubscriptionParts,
  actor: Actor,
  id: string,
  input: SubscriptionUpdate,
): Promise<Subscription> {
  if (input.url !== undefined) await requireSafeUrl(input.url, rules)
  return db.tx(async (tx) => {
    const row = (await updateSubscriptionRow(tx, actor.companyId, id, input)) ?? fail(notFound())
    // Deliveries that were queued when it was paused continue at once.
    await publish(tx, SUBSCRIPTION_CHANGED_CHANNEL, id)
    return row
  })
}

export async function deleteSubscription(tx: Tx, actor: Actor, id: string): Promise<void> {
  if (!(await deleteSubscriptionRow(tx, actor.companyId, id))) throw notFound()
  await publish(tx, SUBSCRIPTION_CHANGED_CHANNEL, id)
}

export async function readSubscription(sql: Queryable, actor: Actor, id: string): Promise<Subscription> {
  return (await selectSubscription(sql, actor.companyId, id)) ?? fail(notFound())
}

export async function listSubscriptions(sql: Queryable, actor: Actor): Promise<Subscription[]> {
  return selectSubscriptions(sql, actor.companyId)
}

/** Binds a sealed secret to its subscription. */
export const webhookSecretContext = (id: string) => `webhook secret ${id}`

import { randomBytes } from 'node:crypto'

import type { Vault } from '../../platform/crypto.ts'
import type { Database, Queryable, Tx } from '../../platform/db/database.ts'
import { fail, notFound } from '../../platform/errors.ts'
import type { Actor } from '../../platform/http/route.ts'
import { type EndpointRules, requireSafeEndpoint } from './endpoint.ts'
import {
  deleteSubscriptionRow,
  insertSubscription,
  nextSubscriptionId,
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

export interface SubscriptionParts {
  db: Database
  vault: Vault
  rules: EndpointRules
}

/** The secret is returned here and never again. */
export async function createSubscription(
  { db, vault, rules }: SubscriptionParts,
  actor: Actor,
  input: SubscriptionCreate,
): Promise<SubscriptionWithSecret> {
  await requireSafeEndpoint(input.url, rules)
  const signing_secret = `whsec_${randomBytes(32).toString('base64')}`
  const row = await db.tx(async (tx) => {
    const id = await nextSubscriptionId(tx)
    const secret_sealed = vault.seal(signing_secret, webhookSecret(id))
    return insertSubscription(tx, actor.companyId, { ...input, id, secret_sealed })
  })
  return { ...row, signing_secret }
}

export async function updateSubscription(
  { db, rules }: SubscriptionParts,
  actor: Actor,
  id: string,
  input: SubscriptionUpdate,
): Promise<Subscription> {
  if (input.url !== undefined) await requireSafeEndpoint(input.url, rules)
  const row = await db.tx((tx) => updateSubscriptionRow(tx, actor.companyId, id, input))
  return row ?? fail(notFound())
}

export async function deleteSubscription(tx: Tx, actor: Actor, id: string): Promise<void> {
  if (!(await deleteSubscriptionRow(tx, actor.companyId, id))) throw notFound()
}

export async function readSubscription(sql: Queryable, actor: Actor, id: string): Promise<Subscription> {
  return (await selectSubscription(sql, actor.companyId, id)) ?? fail(notFound())
}

export async function listSubscriptions(sql: Queryable, actor: Actor): Promise<Subscription[]> {
  return selectSubscriptions(sql, actor.companyId)
}

/** What binds a sealed secret to its subscription. */
const webhookSecret = (id: string) => `webhook secret ${id}`

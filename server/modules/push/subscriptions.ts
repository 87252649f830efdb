import type { Vault } from '../../platform/crypto/crypto.ts'
import { sha256 } from '../../platform/crypto/crypto.ts'
import type { BrowserKeys } from '../../platform/crypto/web-push/encryption.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import type { Actor, RequestActor } from '../../platform/http/route.ts'
import { requireSafeUrl, type UrlRules } from '../../platform/net/safe-url.ts'
import { lockEmployeeRow } from '../employees/index.ts'
import { PUSH_LIMITS } from './limits.ts'
import {
  deleteOldestSubscriptions,
  deletePushSubscription,
  deleteSubscriptionsOfOthers,
  isSessionEnded,
  upsertSubscription,
} from './queries.ts'
import type { PushSubscriptionCreate } from './schemas.ts'

interface SubscriptionParts {
  db: Database
  vault: Vault
  rules: UrlRules
}

/** A browser that messages can be sent to. */
export interface PushTarget extends BrowserKeys {
  endpoint: string
}

/** The browser is rung from now on, until its session ends. Subscribing again renews what is known of it. */
export async function subscribeBrowser(
  { db, vault, rules }: SubscriptionParts,
  actor: RequestActor,
  { endpoint, p256dh, auth, language }: PushSubscriptionCreate,
): Promise<{ id: string }> {
  const { companyId, employeeId, credential } = actor
  if (credential.kind !== 'session') throw notInBrowser()
  await requireSafeUrl(endpoint, rules, 'endpoint')
  const endpointHash = sha256(endpoint)
  const sealed = vault.seal(JSON.stringify({ endpoint, p256dh, auth }), contextOf(endpointHash))
  const subscription = { companyId, employeeId, sessionId: credential.id, endpointHash, sealed, language }
  const id = await db.tx((tx) => store(tx, subscription)).catch(orSessionEnded)
  return { id }
}

async function store(tx: Tx, subscription: Parameters<typeof upsertSubscription>[1]): Promise<string> {
  // Two tabs at once must neither exceed the limit nor wait for each other in a circle.
  await lockEmployeeRow(tx, subscription.companyId, subscription.employeeId)
  await deleteSubscriptionsOfOthers(tx, subscription)
  const id = await upsertSubscription(tx, subscription)
  await deleteOldestSubscriptions(tx, subscription, PUSH_LIMITS.browsersPerEmployee)
  return id
}

export async function unsubscribeBrowser(tx: Tx, actor: Actor, id: string): Promise<void> {
  if (!(await deletePushSubscription(tx, actor, id))) throw notFound()
}

export function openTarget(
  vault: Vault,
  { sealed, endpoint_hash }: { sealed: Buffer; endpoint_hash: Buffer },
): PushTarget {
  const { endpoint, p256dh, auth } = JSON.parse(vault.open(sealed, contextOf(endpoint_hash))) as {
    endpoint: string
    p256dh: string
    auth: string
  }
  return { endpoint, p256dh: Buffer.from(p256dh, 'base64url'), auth: Buffer.from(auth, 'base64url') }
}

const contextOf = (endpointHash: Buffer) => `push subscription ${endpointHash.toString('hex')}`

const notInBrowser = () =>
  new AppError({
    status: 403,
    code: 'session_required',
    message: 'Only a browser that is signed in can be rung. It ends when its session does.',
  })

function orSessionEnded(error: unknown): never {
  throw isSessionEnded(error) ? notInBrowser() : error
}

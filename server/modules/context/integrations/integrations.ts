import type { Vault } from '../../../platform/crypto/crypto.ts'
import { newSigningSecret } from '../../../platform/crypto/standard-webhooks.ts'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import type { Dependencies } from '../../../platform/dependencies.ts'
import { AppError, fail, notFound } from '../../../platform/errors.ts'
import type { Actor } from '../../../platform/http/route.ts'
import { requireSafeUrl, type UrlRules } from '../../../platform/net/safe-url.ts'
import type { ContextProviderName } from '../../../providers/context/port.ts'
import { LOOK_UP_LIMITS } from '../limits.ts'
import {
  countIntegrations,
  deleteIntegrationRow,
  deleteLookUps,
  insertIntegration,
  type IntegrationRow,
  lockIntegration,
  nextIntegrationId,
  selectIntegration,
  selectIntegrations,
  updateIntegrationRow,
} from '../queries.ts'
import type { Integration, IntegrationCreate, IntegrationUpdate, IntegrationWithSecret } from '../schemas.ts'
import { openSecrets, sealSecrets, type Secrets } from './provider-accounts.ts'

export interface IntegrationParts extends Dependencies<'db' | 'clock' | 'vault'> {
  rules: UrlRules
}

const LABELS: Record<ContextProviderName, string> = {
  custom: 'Own system',
  shopify: 'Shopify',
  woocommerce: 'WooCommerce',
  economic: 'e-conomic',
}

const tooManyIntegrations = () =>
  new AppError({
    status: 422,
    code: 'too_many_integrations',
    message: `Remove one first: a company has at most ${LOOK_UP_LIMITS.integrationsPerCompany}.`,
  })

const noSigningSecret = () =>
  new AppError({
    status: 409,
    code: 'no_signing_secret',
    message: 'Only requests to an endpoint of your own are signed; change the credentials instead.',
  })

/** The input fields of this provider: public settings and secrets. */
function settingsOf(provider: ContextProviderName, input: IntegrationUpdate) {
  const { label, active, url, shop, ...credentials } = input
  const secretNames: Record<ContextProviderName, (keyof typeof credentials)[]> = {
    custom: [],
    shopify: ['access_token'],
    woocommerce: ['consumer_key', 'consumer_secret'],
    economic: ['app_secret_token', 'agreement_grant_token'],
  }
  const secrets: Secrets = Object.fromEntries(
    secretNames[provider].flatMap((name) =>
      credentials[name] === undefined ? [] : [[name, credentials[name]]],
    ),
  )
  const hasUrl = provider === 'custom' || provider === 'woocommerce'
  return {
    shown: {
      ...(label !== undefined && { label }),
      ...(active !== undefined && { active }),
      ...(hasUrl && url !== undefined && { url }),
      ...(provider === 'shopify' && shop !== undefined && { shop }),
    },
    secrets,
  }
}

/** The URL must have been checked. The signing secret is returned only here. */
export async function addIntegration(
  tx: Tx,
  vault: Vault,
  companyId: string,
  input: IntegrationCreate,
): Promise<IntegrationWithSecret> {
  if ((await countIntegrations(tx, companyId)) >= LOOK_UP_LIMITS.integrationsPerCompany)
    throw tooManyIntegrations()
  const { provider } = input
  const { shown, secrets } = settingsOf(provider, input)
  const signed = provider === 'custom' ? { signing_secret: newSigningSecret() } : {}
  const id = await nextIntegrationId(tx)
  const row = await insertIntegration(tx, companyId, {
    id,
    provider,
    label: LABELS[provider],
    ...shown,
    secrets_sealed: sealSecrets(vault, id, { ...secrets, ...signed }),
  })
  await deleteLookUps(tx, companyId)
  return { ...present(row), ...signed }
}

export async function createIntegration(
  { db, vault, rules }: IntegrationParts,
  actor: Actor,
  input: IntegrationCreate,
): Promise<IntegrationWithSecret> {
  if ('url' in input) await requireSafeUrl(input.url, rules)
  return db.tx((tx) => addIntegration(tx, vault, actor.companyId, input))
}

export async function updateIntegration(
  { db, vault, rules }: IntegrationParts,
  actor: Actor,
  id: string,
  input: IntegrationUpdate,
): Promise<Integration> {
  if (input.url !== undefined) await requireSafeUrl(input.url, rules)
  return db.tx(async (tx) => {
    const row = (await lockIntegration(tx, actor.companyId, id)) ?? fail(notFound())
    const { shown, secrets } = settingsOf(row.provider, input)
    const resealed = Object.keys(secrets).length > 0 && {
      secrets_sealed: sealSecrets(vault, id, { ...openSecrets(vault, row), ...secrets }),
    }
    await deleteLookUps(tx, actor.companyId)
    return present(await updateIntegrationRow(tx, actor.companyId, id, { ...shown, ...resealed }))
  })
}

/** For a day requests are signed with both secrets, so that the endpoint can switch over. */
export async function rotateSigningSecret(
  { db, clock, vault }: IntegrationParts,
  actor: Actor,
  id: string,
): Promise<IntegrationWithSecret> {
  return db.tx(async (tx) => {
    const row = (await lockIntegration(tx, actor.companyId, id)) ?? fail(notFound())
    const { signing_secret: previous } = openSecrets(vault, row)
    if (!previous) throw noSigningSecret()
    const secrets = {
      signing_secret: newSigningSecret(),
      previous_signing_secret: previous,
      previous_until: new Date(clock.now().getTime() + LOOK_UP_LIMITS.secretOverlapMs).toISOString(),
    }
    const secrets_sealed = sealSecrets(vault, id, secrets)
    const updated = await updateIntegrationRow(tx, actor.companyId, id, { secrets_sealed })
    return { ...present(updated), signing_secret: secrets.signing_secret }
  })
}

export async function deleteIntegration(tx: Tx, companyId: string, id: string): Promise<void> {
  if (!(await deleteIntegrationRow(tx, companyId, id))) throw notFound()
  await deleteLookUps(tx, companyId)
}

export async function readIntegration(sql: Queryable, actor: Actor, id: string): Promise<Integration> {
  return present((await selectIntegration(sql, actor.companyId, id)) ?? fail(notFound()))
}

export async function listIntegrations(sql: Queryable, companyId: string): Promise<Integration[]> {
  return (await selectIntegrations(sql, companyId)).map(present)
}

function present(row: IntegrationRow): Integration {
  const { last_error, last_error_status, last_error_at, secrets_sealed: _, ...shown } = row
  return {
    ...shown,
    last_error:
      last_error && last_error_at
        ? { at: last_error_at, reason: last_error, status_code: last_error_status }
        : null,
  }
}

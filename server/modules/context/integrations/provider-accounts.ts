import { z } from 'zod'

import type { Vault } from '../../../platform/crypto/crypto.ts'
import { CONTEXT_PROVIDERS, type ProviderAccount } from '../../../providers/context/port.ts'
import type { IntegrationRow } from '../queries.ts'

/** The encrypted credentials of each kind of account. */
const Secrets = z
  .object({
    signing_secret: z.string(),
    previous_signing_secret: z.string(),
    /** ISO 8601. */
    previous_until: z.string(),
    access_token: z.string(),
    consumer_key: z.string(),
    consumer_secret: z.string(),
    app_secret_token: z.string(),
    agreement_grant_token: z.string(),
  })
  .partial()
export type Secrets = z.output<typeof Secrets>

const sealedFor = (integrationId: string) => `integration ${integrationId}`

export const sealSecrets = (vault: Vault, id: string, secrets: Secrets) =>
  vault.seal(JSON.stringify(secrets), sealedFor(id))

export const openSecrets = (vault: Vault, { id, secrets_sealed }: IntegrationRow): Secrets =>
  Secrets.parse(JSON.parse(vault.open(secrets_sealed, sealedFor(id))))

/** The account's credentials; undefined if they were sealed with another key. */
export function providerAccountOf(vault: Vault, row: IntegrationRow, now: Date): ProviderAccount | undefined {
  try {
    return accountWith(openSecrets(vault, row), row, now)
  } catch {
    return undefined
  }
}

/** What its provider requires was checked when it was added. */
function accountWith(secrets: Secrets, row: IntegrationRow, now: Date): ProviderAccount {
  switch (row.provider) {
    case 'custom':
      return { provider: 'custom', url: row.url!, signingSecrets: signingSecrets(secrets, now) }
    case 'shopify':
      return { provider: 'shopify', shop: row.shop!, accessToken: secrets.access_token! }
    case 'woocommerce':
      return {
        provider: 'woocommerce',
        url: row.url!,
        consumerKey: secrets.consumer_key!,
        consumerSecret: secrets.consumer_secret!,
      }
    case 'economic':
      return {
        provider: 'economic',
        appSecretToken: secrets.app_secret_token!,
        agreementGrantToken: secrets.agreement_grant_token!,
      }
  }
}

function signingSecrets(secrets: Secrets, now: Date): string[] {
  const { signing_secret, previous_signing_secret, previous_until } = secrets
  const overlaps = previous_signing_secret && previous_until && now < new Date(previous_until)
  return overlaps ? [signing_secret!, previous_signing_secret] : [signing_secret!]
}

/** Custom first, then shops, then accounting. */
export const byPriority = (a: IntegrationRow, b: IntegrationRow) =>
  CONTEXT_PROVIDERS.indexOf(a.provider) - CONTEXT_PROVIDERS.indexOf(b.provider)

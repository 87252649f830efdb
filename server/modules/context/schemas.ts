import { z } from 'zod'

import { Id } from '../../platform/ids.ts'
import { requiredLine, requiredText, Timestamp } from '../../platform/schemas.ts'
import { Context, CONTEXT_PROVIDERS, LOOK_UP_FAILURES } from '../../providers/context/port.ts'
import { Contact } from '../contacts/index.ts'
import { LOOK_UP_LIMITS } from './limits.ts'

export const CallerContext = z
  .object({
    contexts: z.array(Context).meta({ description: 'One for each provider that knows the caller.' }),
    enriched_at: Timestamp.nullable().meta({ description: 'Null if no provider was asked.' }),
    contact: Contact.nullable(),
  })
  .meta({ id: 'CallerContext' })
export type CallerContext = z.output<typeof CallerContext>

export const CallerQuery = z.object({
  phone: z
    .string()
    .optional()
    .meta({
      description: 'E.164, or a national number of the company’s country.',
      examples: ['+4520112233'],
    }),
})
export type CallerQuery = z.output<typeof CallerQuery>

const Failure = z.enum(LOOK_UP_FAILURES)

export const Integration = z
  .object({
    id: Id('int'),
    provider: z.enum(CONTEXT_PROVIDERS),
    label: z.string(),
    active: z.boolean(),
    url: z.string().nullable().meta({ description: 'Of custom and woocommerce.' }),
    shop: z.string().nullable().meta({ description: 'Of shopify.' }),
    last_success_at: Timestamp.nullable().meta({ description: 'To the minute.' }),
    last_error: z
      .object({ at: Timestamp, reason: Failure, status_code: z.int().nullable() })
      .nullable()
      .meta({ description: 'Null while it answers.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Integration' })
export type Integration = z.output<typeof Integration>

export const IntegrationWithSecret = Integration.extend({
  signing_secret: z
    .string()
    .optional()
    .meta({ description: 'Of custom: verifies our requests. Shown in this answer only.' }),
}).meta({ id: 'IntegrationWithSecret' })
export type IntegrationWithSecret = z.output<typeof IntegrationWithSecret>

const label = requiredLine(LOOK_UP_LIMITS.labelCharacters)
  .optional()
  .meta({ description: 'The name that employees see.' })
const url = requiredLine(LOOK_UP_LIMITS.urlCharacters).meta({
  description: 'The https address of the shop, or of your own system.',
})
const shop = requiredText(LOOK_UP_LIMITS.labelCharacters)
  .toLowerCase()
  .regex(/^[a-z0-9][a-z0-9-]*\.myshopify\.com$/, { error: 'must be a host such as example.myshopify.com' })
  .meta({ description: 'Such as example.myshopify.com.' })
/** Goes into a header: printable ASCII without spaces. */
const secret = requiredText(LOOK_UP_LIMITS.secretCharacters).regex(/^[!-~]+$/, {
  error: 'must have no spaces or unusual characters',
})

const secretFor = (description: string) => secret.meta({ description })

const shopifyAccount = { shop, access_token: secretFor('The access token of the Shopify app.') }
const woocommerceAccount = {
  url,
  consumer_key: secretFor('The key of the WooCommerce REST API.'),
  consumer_secret: secretFor('The secret of that key.'),
}
const economicAccount = {
  app_secret_token: secretFor('The secret token of the e-conomic app.'),
  agreement_grant_token: secretFor('The token of the agreement with e-conomic.'),
}

export const IntegrationCreate = z.discriminatedUnion('provider', [
  z.object({ provider: z.literal('custom').meta({ description: 'The kind of system.' }), label, url }),
  z.object({ provider: z.literal('shopify'), label, ...shopifyAccount }),
  z.object({ provider: z.literal('woocommerce'), label, ...woocommerceAccount }),
  z.object({ provider: z.literal('economic'), label, ...economicAccount }),
])
export type IntegrationCreate = z.output<typeof IntegrationCreate>

const Active = z.boolean().meta({ description: 'False to pause it.' })

/** Fields of other providers are ignored. */
export const IntegrationUpdate = z
  .object({ ...shopifyAccount, ...woocommerceAccount, ...economicAccount, active: Active })
  .partial()
  .extend({ label })
export type IntegrationUpdate = z.output<typeof IntegrationUpdate>

export const TestLookUp = z.object({
  phone: requiredLine(LOOK_UP_LIMITS.phoneCharacters).meta({
    description: 'E.164, or a national number of the company’s country.',
  }),
})

export const TestOutcome = z
  .object({
    outcome: z.enum(['found', 'nobody', 'failed']),
    reason: Failure.nullable().meta({ description: 'Why it failed.' }),
    status_code: z.int().nullable().meta({ description: 'Of an answer that was refused.' }),
    duration_ms: z.int(),
    context: Context.nullable().meta({ description: 'As it would be shown.' }),
  })
  .meta({ id: 'IntegrationTest' })
export type TestOutcome = z.output<typeof TestOutcome>

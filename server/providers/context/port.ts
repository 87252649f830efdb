import { z } from 'zod'

export { CONTEXT_LIMITS } from './limits.ts'

/** In the order of their word: who comes first says who a caller is. */
export const CONTEXT_PROVIDERS = ['custom', 'shopify', 'woocommerce', 'economic'] as const
export type ContextProviderName = (typeof CONTEXT_PROVIDERS)[number]

export const VALUE_FORMATS = ['text', 'money', 'date', 'email', 'phone', 'badge'] as const
export type Format = (typeof VALUE_FORMATS)[number]

const Money = z.object({ amount: z.string(), currency: z.string() }).meta({ id: 'Money' })
const Value = z.union([z.string(), Money])
export type Value = z.output<typeof Value>

const format = z
  .enum(VALUE_FORMATS)
  .optional()
  .meta({ description: 'How to show the value; text if not given. Only money is an object.' })
const url = z.string().optional().meta({ description: 'Makes it clickable.' })

const FieldsSection = z.object({
  type: z.literal('fields'),
  label: z.string().optional(),
  fields: z.array(z.object({ label: z.string(), value: Value, format, url, bold: z.boolean().optional() })),
})
export type FieldsSection = z.output<typeof FieldsSection>

const TableSection = z.object({
  type: z.literal('table'),
  label: z.string(),
  columns: z.array(z.object({ key: z.string(), label: z.string(), format })),
  rows: z.array(
    z.object({
      url,
      values: z.record(z.string(), Value).meta({ description: 'By the key of the column.' }),
    }),
  ),
})
export type TableSection = z.output<typeof TableSection>

const Section = z.discriminatedUnion('type', [FieldsSection, TableSection])
export type Section = z.output<typeof Section>

export const ProviderContact = z
  .object({
    name: z.string().nullable().meta({ description: 'Without it, no contact is made.' }),
    email: z.string().nullable(),
    company_name: z.string().nullable(),
    note: z.string().nullable(),
  })
  .meta({ id: 'ProviderContact' })
export type ProviderContact = z.output<typeof ProviderContact>

/** What one provider knows about a caller. */
export const Context = z
  .object({
    provider: z.string().meta({ description: 'Which system it comes from.' }),
    label: z.string(),
    source: z.string().meta({ description: 'Which shop, workspace or account of that system.' }),
    url: z.string().nullable().meta({ description: 'Where the caller is found in that system.' }),
    contact: ProviderContact.nullable(),
    sections: z.array(Section),
  })
  .meta({ id: 'CallerContextEntry' })
export type Context = z.output<typeof Context>

/** The credentials of a company's account at a provider. */
export type ProviderAccount =
  | { provider: 'custom'; url: string; signingSecrets: string[] }
  | { provider: 'shopify'; shop: string; accessToken: string }
  | { provider: 'woocommerce'; url: string; consumerKey: string; consumerSecret: string }
  | { provider: 'economic'; appSecretToken: string; agreementGrantToken: string }

export interface LookUpRequest {
  /** E.164. */
  phone: string
  /** The country of numbers without a country code. */
  country: string
  /** The company's name for this integration. */
  label: string
}

/** Connection failures, bad responses, and `unreadable` credentials, which were sealed with another secret. */
export const LOOK_UP_FAILURES = [
  'timeout',
  'dns',
  'private_address',
  'tls',
  'connection',
  'insecure',
  'refused',
  'too_large',
  'not_json',
  'malformed',
  'unreadable',
] as const
export type LookUpFailure = (typeof LOOK_UP_FAILURES)[number]

export type LookUpOutcome =
  | { is: 'found'; context: Context }
  /** The provider has nobody with that number. */
  | { is: 'nobody' }
  /** The status is set only if there was a response. */
  | { is: 'failed'; why: LookUpFailure; status: number | null }

/** The external systems that may know a caller. */
export interface ContextProviders {
  /** Never rejects, and never takes longer than its timeout. */
  lookUp(account: ProviderAccount, question: LookUpRequest): Promise<LookUpOutcome>
  close(): Promise<void>
}

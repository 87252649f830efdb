import { z } from 'zod'

import { Id } from '../../platform/ids.ts'
import { optionalLine, requiredLine } from '../../platform/schemas.ts'
import { isSupportedCompanyCountry } from './countries.ts'
import { COMPANY_LIMITS } from './limits.ts'

export const Company = z
  .object({
    id: Id('com'),
    name: z.string(),
    address: z.string().nullable(),
    city: z.string().nullable(),
    state: z.string().nullable(),
    zip: z.string().nullable(),
    country: z.string().meta({ description: 'ISO 3166-1 alpha-2.' }),
    vat_id: z.string().nullable(),
    requires_two_factor: z.boolean(),
  })
  .meta({ id: 'Company' })
export type Company = z.output<typeof Company>

const Country = z
  .string()
  .trim()
  .max(COMPANY_LIMITS.countryCharacters)
  .refine((code) => /^[A-Za-z]{2}$/.test(code) && isSupportedCompanyCountry(code.toUpperCase()), {
    error: 'must be the two-letter code of a supported country, such as DK',
  })
  .toUpperCase()

const addressField = (description: string) =>
  optionalLine(COMPANY_LIMITS.addressCharacters).optional().meta({ description })

export const CompanyUpdate = z.object({
  address: addressField('Street and house number.'),
  city: addressField('The city.'),
  state: addressField('The state or region.'),
  zip: addressField('The postal code.'),
  country: Country.optional().meta({ description: 'ISO 3166-1 alpha-2.' }),
  vat_id: addressField('The VAT number.'),
  requires_two_factor: z
    .boolean()
    .optional()
    .meta({ description: 'Whether every employee must set up two-factor sign-in.' }),
})
export type CompanyUpdate = z.output<typeof CompanyUpdate>

const Name = requiredLine(COMPANY_LIMITS.nameCharacters)

export const CompanyName = z.object({ name: Name.meta({ description: 'As employees and e-mails show it.' }) })

export const CompanyCreate = z.object({
  name: Name,
  country: Country,
  messaging_enabled: z.boolean().default(false),
})

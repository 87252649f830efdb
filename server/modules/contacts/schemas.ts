import { z } from 'zod'

import { Id } from '../../platform/ids.ts'
import {
  optionalBody,
  OptionalEmailAddress,
  optionalLine,
  requiredLine,
  StorableText,
  Timestamp,
} from '../../platform/schemas.ts'
import { CONTACT_LIMITS } from './limits.ts'

export const Contact = z
  .object({
    id: Id('con'),
    name: z.string().nullable(),
    email: z.string().nullable(),
    phone: z.string().meta({ description: 'E.164.' }),
    phone_formatted: z.string(),
    company_name: z.string().nullable(),
    note: z.string().nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Contact' })
export type Contact = z.output<typeof Contact>

const optionalFields = {
  name: optionalLine(CONTACT_LIMITS.nameCharacters).optional().meta({ description: 'First and last name.' }),
  email: OptionalEmailAddress.optional().meta({ description: 'An e-mail address.' }),
  company_name: optionalLine(CONTACT_LIMITS.nameCharacters)
    .optional()
    .meta({ description: 'The company they work for.' }),
  note: optionalBody(CONTACT_LIMITS.noteCharacters)
    .optional()
    .meta({ description: 'What the team should know about them.' }),
}
const phone = requiredLine(CONTACT_LIMITS.phoneCharacters).meta({
  description: 'E.164, or a national number of the company’s country.',
})

export const ContactCreate = z.object({ phone, ...optionalFields })
export type ContactCreate = z.output<typeof ContactCreate>

export const ContactUpdate = z.object({ phone: phone.optional(), ...optionalFields })
export type ContactUpdate = z.output<typeof ContactUpdate>

const SORTS = ['name', 'newest'] as const

export const ContactSearch = z.object({
  q: StorableText.trim().max(CONTACT_LIMITS.queryCharacters).optional().meta({
    description:
      'Beginnings of words of the name, company or e-mail address, without regard to accents and case; or digits of the phone number, in any notation. All contacts if blank.',
  }),
  sort: z
    .enum(SORTS)
    .default('name')
    .meta({ description: 'By name, or the company’s where there is none, contacts without either last.' }),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(CONTACT_LIMITS.pageMax)
    .default(CONTACT_LIMITS.pageDefault)
    .meta({ description: 'Contacts per page.' }),
  cursor: z
    .string()
    .max(CONTACT_LIMITS.cursorCharacters)
    .optional()
    .meta({ description: 'next_cursor of the page before, with the same `q` and `sort`.' }),
})
export type ContactSearch = z.output<typeof ContactSearch>

export const ContactPage = z
  .object({
    items: z.array(Contact),
    next_cursor: z.string().nullable().meta({ description: 'Null on the last page.' }),
    total: z.int().nullable().meta({
      description: 'How many there are on all pages. Null if there are thousands, which are not counted.',
    }),
  })
  .meta({ id: 'ContactPage' })
export type ContactPage = z.output<typeof ContactPage>

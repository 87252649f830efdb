import { z } from 'zod'

import { Id } from '../../platform/ids.ts'
import {
  optionalBody,
  OptionalEmailAddress,
  optionalLine,
  requiredLine,
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

import { z } from 'zod'

import { Id } from '../../../platform/ids.ts'
import { CONTACT_LIMITS } from '../limits.ts'
import { Contact, ContactUpdate } from '../schemas.ts'

export const Doubles = z
  .object({
    groups: z.array(z.object({ contacts: z.array(Contact) })),
    more: z.boolean().meta({ description: 'Whether there are more than these.' }),
  })
  .meta({ id: 'ContactDoubles' })
export type Doubles = z.output<typeof Doubles>

export const ContactMerge = ContactUpdate.omit({ phone: true }).extend({
  contact_ids: z
    .array(Id('con'))
    .min(1)
    .max(CONTACT_LIMITS.merged - 1)
    .meta({ description: 'The contacts that become part of this one.' }),
})
export type ContactMerge = z.output<typeof ContactMerge>

export const ContactNumber = z
  .object({
    phone: z.string().meta({ description: 'E.164.' }),
    phone_formatted: z.string(),
    main: z.boolean().meta({ description: 'Whether it is the `phone` of the contact.' }),
  })
  .meta({ id: 'ContactNumber' })
export type ContactNumber = z.output<typeof ContactNumber>

import { z } from 'zod'

import { Id } from '../../platform/ids.ts'
import { ContactName, requiredLine } from '../../platform/schemas.ts'
import { FAVOURITE_LIMITS } from './limits.ts'

export const Favourite = z
  .object({
    id: Id('fav'),
    phone: z.string().nullable().meta({ description: 'The number of a customer, in E.164.' }),
    contact_name: ContactName,
    employee: z
      .object({ id: Id('emp'), name: z.string() })
      .nullable()
      .meta({ description: 'The coworker, if it is not a number.' }),
  })
  .meta({ id: 'Favourite' })
export type Favourite = z.output<typeof Favourite>

export const FavouriteCreate = z.object({
  phone: requiredLine(FAVOURITE_LIMITS.phoneCharacters)
    .optional()
    .meta({ description: 'A number, in E.164 or as it is dialled in the country of the company.' }),
  employee_id: Id('emp').optional().meta({ description: 'A coworker, instead of a number.' }),
})
export type FavouriteCreate = z.output<typeof FavouriteCreate>

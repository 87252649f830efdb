import { z } from 'zod'

import { Id } from '../../platform/ids.ts'
import { EmailAddress, optionalLine, requiredLine, Timestamp } from '../../platform/schemas.ts'
import { EMPLOYEE_LIMITS } from './limits.ts'

export const PASSWORD_CHARACTERS = { min: 12, max: 256 }

const EMPLOYEE_STATUSES = [
  'on_call',
  'do_not_disturb',
  'ringing',
  'available',
  'logged_out',
  'unknown',
] as const

export const Employee = z
  .object({
    id: Id('emp'),
    name: z.string(),
    email: z.string(),
    email_confirmation_pending: z.boolean().meta({
      description:
        'True while the employee has not confirmed a changed address; they sign in with the previous one.',
    }),
    phone: z.string().nullable().meta({ description: 'E.164.' }),
    invitation_pending: z.boolean(),
    status: z.enum(EMPLOYEE_STATUSES),
    do_not_disturb: z.boolean(),
    do_not_disturb_activated_at: Timestamp.nullable(),
    do_not_disturb_expires_at: Timestamp.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Employee' })
export type Employee = z.output<typeof Employee>

const fields = {
  name: requiredLine(EMPLOYEE_LIMITS.nameCharacters).meta({ description: 'First and last name.' }),
  email: EmailAddress.meta({ description: 'The e-mail address for sign-in.' }),
  phone: optionalLine(EMPLOYEE_LIMITS.phoneCharacters).meta({
    description: 'E.164, or a national number of the company’s country.',
  }),
}

export const EmployeeCreate = z.object({ ...fields, phone: fields.phone.optional() })
export type EmployeeCreate = z.output<typeof EmployeeCreate>

export const EmployeeUpdate = z.object(fields).partial()
export type EmployeeUpdate = z.output<typeof EmployeeUpdate>

export const NewPassword = z.object({
  password: z
    .string()
    .min(PASSWORD_CHARACTERS.min, {
      error: `must have at least ${PASSWORD_CHARACTERS.min} characters`,
    })
    .max(PASSWORD_CHARACTERS.max),
})

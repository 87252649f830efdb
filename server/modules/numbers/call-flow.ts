import { z } from 'zod'

import { Id } from '../../platform/ids.ts'
import { requiredText } from '../../platform/schemas.ts'

const SPOKEN_CHARACTERS_MAX = 4_000

const Spoken = requiredText(SPOKEN_CHARACTERS_MAX)
const EmployeeIds = z
  .array(Id('emp'))
  .min(1, { error: 'must name at least one employee' })
  .transform((ids) => [...new Set(ids)])

const digit = z.string().regex(/^[1-9]$/, { error: 'must be one key from 1 to 9' })

const MenuOption = z.discriminatedUnion('action_type', [
  z.object({ digit, action_type: z.literal('TransferConfig'), employee_ids: EmployeeIds }),
  z.object({
    digit,
    action_type: z.literal('WelcomeTransferConfig'),
    prompt: Spoken,
    employee_ids: EmployeeIds,
  }),
  z.object({ digit, action_type: z.literal('VoicemailConfig'), prompt: Spoken }),
  z.object({ digit, action_type: z.literal('PlayMessageConfig'), prompt: Spoken }),
])

const MenuOptions = z
  .array(MenuOption)
  .min(1, { error: 'must have at least one option' })
  .refine((options) => new Set(options.map((option) => option.digit)).size === options.length, {
    error: 'must not use a digit twice',
  })

/** What happens to a call; the same for each of the three routing slots. */
export const CallFlow = z.discriminatedUnion('type', [
  z.object({ type: z.literal('WelcomeTransferConfig'), welcome: Spoken, employee_ids: EmployeeIds }),
  z.object({ type: z.literal('TransferConfig'), employee_ids: EmployeeIds }),
  z.object({ type: z.literal('RejectConfig'), message: Spoken }),
  z.object({ type: z.literal('VoicemailConfig'), greeting: Spoken }),
  z.object({ type: z.literal('PhoneMenuConfig'), welcome: Spoken, menu_options: MenuOptions }),
])
/** With uuids in place of public ids. */
export type CallFlow = z.output<typeof CallFlow>

/** Every employee whom some step of the flow rings. */
export function targetsOf(flow: CallFlow): string[] {
  if (flow.type === 'TransferConfig' || flow.type === 'WelcomeTransferConfig') return flow.employee_ids
  if (flow.type !== 'PhoneMenuConfig') return []
  return [
    ...new Set(flow.menu_options.flatMap((option) => ('employee_ids' in option ? option.employee_ids : []))),
  ]
}

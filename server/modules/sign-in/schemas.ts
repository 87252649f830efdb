import { z } from 'zod'

import { Id } from '../../platform/ids.ts'

export const SessionInfo = z
  .object({
    employee: z.object({ id: Id('emp'), name: z.string(), email: z.string() }),
    company: z.object({ id: Id('com'), name: z.string() }),
    two_factor_enabled: z
      .boolean()
      .meta({ description: 'Whether the employee signs in with a code as well.' }),
    operator: z
      .boolean()
      .meta({ description: 'Whether the employee sees the carriers of the installation.' }),
    messaging_enabled: z.boolean().meta({ description: 'Whether the company may use texts.' }),
  })
  .meta({ id: 'Session' })
export type SessionInfo = z.output<typeof SessionInfo>

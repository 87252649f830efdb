import { z } from 'zod'

/** The path of a thread. */
export const threadParams = z.object({
  phone_number: z.string().meta({
    description:
      'E.164, or a national number of the company’s country; also `anonymous`, or the short code or name that a thread has in place of a number.',
    examples: ['+4520112233', 'anonymous'],
  }),
})

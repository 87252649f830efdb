import { z } from 'zod'

/** The path of a thread. */
export const threadParams = z.object({
  phone_number: z.string().meta({
    description:
      'E.164, or a national number of the company’s country; also `anonymous`, or the short code or name that a thread has in place of a number.',
    examples: ['+4520112233', 'anonymous'],
  }),
})

/** The same in fewer words: the tools for language models repeat them for each route. */
export const briefThreadParams = z.object({
  phone_number: z.string().meta({
    description: 'E.164, or what the thread has in place of a number.',
    examples: ['+4520112233'],
  }),
})

/** Of a route without other input that could be wrong. */
export const NOT_A_NUMBER = { when: 'It is not a phone number, nor the name of a thread.' }

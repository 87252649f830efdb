import { z } from 'zod'

import { Id } from '../../../platform/ids.ts'

export const WalkThroughQuery = z.object({
  when: z
    .enum(['now', 'open', 'closed'])
    .default('now')
    .meta({ description: 'During business hours, outside them, or as it is now.' }),
})

const Position = z.int().meta({ description: 'The position of a step in `steps`.' })

/** What a caller hears of a text. */
const Speech = z.object({
  text: z.string(),
  audio_url: z
    .string()
    .nullable()
    .meta({ description: 'Null while neither the text nor anything in its place has audio.' }),
  is_stand_in: z.boolean().meta({
    description: 'Whether the audio is of something else, because that of the text is still being made.',
  }),
})
export type Speech = z.output<typeof Speech>

const Step = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('say'), speech: Speech, next: Position }),
  z.object({
    kind: z.literal('menu'),
    speech: Speech,
    prompts: z.int().meta({ description: 'How often the caller is asked.' }),
    options: z.array(z.object({ digit: z.string(), next: Position })),
    otherwise: Position.meta({ description: 'What follows if the caller chooses nothing.' }),
  }),
  z.object({
    kind: z.literal('ring'),
    employee_ids: z.array(Id('emp')),
    announcement: Speech.nullable().meta({
      description: 'That the call is recorded; heard once in a call, before it rings.',
    }),
    wait_audio_url: z
      .string()
      .meta({ description: 'What the caller hears until somebody answers. It loops.' }),
    no_answer: z
      .object({ after_secs: z.int(), next: Position })
      .nullable()
      .meta({ description: 'Null if it rings for as long as the caller waits.' }),
  }),
  z.object({
    kind: z.literal('voicemail'),
    speech: Speech,
    beep_url: z.string().meta({ description: 'The tone after which the caller speaks.' }),
  }),
  z.object({ kind: z.literal('hang_up') }),
])
export type WalkStep = z.output<typeof Step>

export const WalkThrough = z
  .object({
    hours: z.enum(['open', 'closed']).meta({ description: 'Which hours it is about.' }),
    no_answer: Position.nullable().meta({
      description: 'Where the flow for no answer begins; null if there is none.',
    }),
    steps: z.array(Step).meta({ description: 'The caller begins at the first.' }),
  })
  .meta({ id: 'WalkThrough' })
export type WalkThrough = z.output<typeof WalkThrough>

import { z } from 'zod'

import { optionalText } from '../../../platform/schemas.ts'
import { NUMBER_LIMITS } from '../limits.ts'

export const TextingSettings = z
  .object({
    auto_reply_enabled: z.boolean(),
    auto_reply_text: z.string().nullable(),
    auto_reply_cooldown_minutes: z.int(),
  })
  .meta({ id: 'TextingSettings' })
export type TextingSettings = z.output<typeof TextingSettings>

export const TextingSettingsUpdate = z
  .object({
    auto_reply_enabled: z
      .boolean()
      .meta({ description: 'Whether texts outside business hours are answered automatically.' }),
    auto_reply_text: optionalText(NUMBER_LIMITS.autoReplyCharacters).meta({
      description: 'The automatic answer.',
    }),
    auto_reply_cooldown_minutes: z
      .int()
      .min(NUMBER_LIMITS.cooldownMinutesMin)
      .max(NUMBER_LIMITS.cooldownMinutesMax)
      .meta({ description: 'How long the same customer gets no second automatic answer.' }),
  })
  .partial()
export type TextingSettingsUpdate = z.output<typeof TextingSettingsUpdate>

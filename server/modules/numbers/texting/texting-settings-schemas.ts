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
    auto_reply_enabled: z.boolean(),
    auto_reply_text: optionalText(NUMBER_LIMITS.autoReplyCharacters),
    auto_reply_cooldown_minutes: z
      .int()
      .min(NUMBER_LIMITS.cooldownMinutesMin)
      .max(NUMBER_LIMITS.cooldownMinutesMax),
  })
  .partial()
export type TextingSettingsUpdate = z.output<typeof TextingSettingsUpdate>

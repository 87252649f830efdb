import { z } from 'zod'

import { optionalBody, orDefault } from '../../../platform/schemas.ts'
import { NUMBER_LIMITS } from '../limits.ts'

export const TextingSettings = z
  .object({
    auto_reply_enabled: z.boolean(),
    auto_reply_text: z.string().nullable(),
    auto_reply_cooldown_minutes: z.int(),
  })
  .meta({ id: 'TextingSettings' })
export type TextingSettings = z.output<typeof TextingSettings>

export const TEXTING_DEFAULTS: TextingSettings = {
  auto_reply_enabled: false,
  auto_reply_text: null,
  auto_reply_cooldown_minutes: 1_440,
}

export const TextingSettingsUpdate = z
  .object({
    auto_reply_enabled: orDefault(z.boolean(), TEXTING_DEFAULTS.auto_reply_enabled).meta({
      description: 'Whether texts outside business hours are answered automatically.',
    }),
    auto_reply_text: optionalBody(NUMBER_LIMITS.autoReplyCharacters).meta({
      description: 'The automatic answer.',
    }),
    auto_reply_cooldown_minutes: orDefault(
      z.int().min(NUMBER_LIMITS.cooldownMinutesMin).max(NUMBER_LIMITS.cooldownMinutesMax),
      TEXTING_DEFAULTS.auto_reply_cooldown_minutes,
    ).meta({ description: 'How long the same customer gets no second automatic answer.' }),
  })
  .partial()
export type TextingSettingsUpdate = z.output<typeof TextingSettingsUpdate>

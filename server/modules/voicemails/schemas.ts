import { z } from 'zod'

import { Id } from '../../platform/ids.ts'
import { ContactName, RemoteNumber, StorableText, Timestamp } from '../../platform/schemas.ts'
import { TranscriptionStatus } from '../transcripts/index.ts'
import { VOICEMAIL_LIMITS } from './limits.ts'

const common = {
  id: Id('voi'),
  from: RemoteNumber,
  listened_at: Timestamp.nullable(),
  transcription: z.string().nullable(),
  transcription_status: TranscriptionStatus,
  created_at: Timestamp,
  recording_url: z.string().nullable().meta({ description: 'Created for this response; it expires.' }),
  contact_name: ContactName,
  duration: z.int().nullable().meta({ description: 'In seconds.' }),
  main_number_id: Id('num'),
  main_number_name: z.string(),
}

/** A voicemail in the list. */
export const ListedVoicemail = z
  .object({ ...common, main_number: z.string(), main_number_formatted: z.string() })
  .meta({ id: 'ListedVoicemail' })
export type ListedVoicemail = z.output<typeof ListedVoicemail>

/** A single voicemail has the same values under longer names. */
export const Voicemail = z
  .object({ ...common, main_number_number: z.string(), main_number_number_formatted: z.string() })
  .meta({ id: 'Voicemail' })
export type Voicemail = z.output<typeof Voicemail>

export const VoicemailSearch = z.object({
  query: StorableText.trim().max(VOICEMAIL_LIMITS.queryCharacters).default('').meta({
    description:
      'Words that are in the transcript, or in the caller’s name or number; all of them. Every voicemail if blank.',
  }),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(VOICEMAIL_LIMITS.searchPage)
    .default(VOICEMAIL_LIMITS.searchPage)
    .meta({ description: 'How many, at most.' }),
})
export type VoicemailSearch = z.output<typeof VoicemailSearch>

/** Forms have no booleans, so the strings true, false, 1 and 0 are accepted too. */
const Flag = z
  .union([z.boolean(), z.literal([0, 1]), z.enum(['true', 'false', '1', '0'])], {
    error: 'must be true or false',
  })
  .transform((value) => [true, 1, 'true', '1'].includes(value))

export const VoicemailUpdate = z.object({
  listened: Flag.optional().meta({ description: 'False to mark it as new again.' }),
})
export type VoicemailUpdate = z.output<typeof VoicemailUpdate>

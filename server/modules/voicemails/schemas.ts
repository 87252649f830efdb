import { z } from 'zod'

import { Id } from '../../platform/ids.ts'
import { ContactName, RemoteNumber, Timestamp } from '../../platform/schemas.ts'
import { TranscriptionStatus } from '../transcripts/index.ts'

const common = {
  id: Id('voi'),
  from: RemoteNumber,
  listened_at: Timestamp.nullable(),
  transcription: z.string().nullable(),
  transcription_status: TranscriptionStatus,
  created_at: Timestamp,
  recording_url: z.string().nullable().meta({ description: 'Created for this response; it expires.' }),
  contact_name: ContactName,
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

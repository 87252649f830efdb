import { z } from 'zod'

const RECORDING_NOTICES = ['none', 'beep', 'announcement'] as const
export type RecordingNotice = (typeof RECORDING_NOTICES)[number]

const Notice = z.enum(RECORDING_NOTICES).meta({
  description:
    'How callers, and people who are called, learn that their call is recorded: not at all, by a tone every 15 ' +
    'seconds, or by an announcement before they are connected.',
})

export const RecordingNoticeSettings = z
  .object({
    notice: Notice,
    announcement: z
      .string()
      .meta({ description: 'What the announcement says, in the language of the number.' }),
  })
  .meta({ id: 'RecordingNotice' })
export type RecordingNoticeSettings = z.output<typeof RecordingNoticeSettings>

export const RecordingNoticeUpdate = z.object({ notice: Notice })
export type RecordingNoticeUpdate = z.output<typeof RecordingNoticeUpdate>

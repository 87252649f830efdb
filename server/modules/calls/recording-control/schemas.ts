import { z } from 'zod'

const LIVE_RECORDING_STATES = ['recording', 'paused', 'off'] as const
export type LiveRecordingState = (typeof LIVE_RECORDING_STATES)[number]

export const LiveRecording = z
  .object({
    state: z.enum(LIVE_RECORDING_STATES).meta({
      description:
        'Whether the call is being recorded now; `off` also before it is answered and after it has ended.',
    }),
  })
  .meta({ id: 'LiveRecording' })
export type LiveRecording = z.output<typeof LiveRecording>

import { serve } from '../../../platform/engine/program.ts'
import { openRecording } from '../../recording-file.ts'
import { passagesOf } from './passages.ts'
import type { SpeechInterval } from './speech-intervals.ts'
import { loadVoiceActivity } from './voice-activity.ts'

export interface ListeningRequest {
  file: string
  /** Size of the file, which determines the timeout. */
  bytes: number
}

const activity = loadVoiceActivity()

serve(async ({ file }: ListeningRequest): Promise<SpeechInterval[][]> => {
  const recording = await openRecording(file)
  try {
    return await passagesOf(recording, await activity)
  } finally {
    await recording.close()
  }
})

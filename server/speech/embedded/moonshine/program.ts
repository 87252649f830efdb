import { lazyAsync } from '../../../platform/async/lazy.ts'
import { RECORDING_RATE } from '../../../platform/audio/recording.ts'
import { serve } from '../../../platform/engine/program.ts'
import { SpeechFailed } from '../../port.ts'
import type { Phrase } from '../../recognition.ts'
import { openRecording, type RecordingFile } from '../../recording-file.ts'
import { passagesOf } from '../silero/passages.ts'
import type { ListeningRequest } from '../silero/program.ts'
import type { SpeechInterval } from '../silero/speech-intervals.ts'
import { loadVoiceActivity } from '../silero/voice-activity.ts'
import { acceptConfident, type TimedHypothesis } from './confidence-gate.ts'
import { loadModel } from './model.ts'
import { upsample } from './upsample.ts'

const activity = loadVoiceActivity()
const model = lazyAsync(loadModel)

serve(async ({ file }: ListeningRequest): Promise<Phrase[][]> => {
  const recording = await openRecording(file)
  try {
    return await transcribe(recording)
  } finally {
    await recording.close()
  }
})

async function transcribe(recording: RecordingFile): Promise<Phrase[][]> {
  const channels = await passagesOf(recording, await activity)
  const heard: Phrase[][] = []
  for (const [channel, passages] of channels.entries())
    heard.push(acceptConfident(await guess(recording, channel, passages)))
  if (channels.flat().length > 0 && heard.flat().length === 0)
    throw new SpeechFailed('not_understood', 'The recording has speech, but it does not seem to be English.')
  return heard
}

async function guess(
  recording: RecordingFile,
  channel: number,
  passages: SpeechInterval[],
): Promise<TimedHypothesis[]> {
  const guesses: TimedHypothesis[] = []
  for (const { startMs, endMs } of passages) {
    const samples = await recording.read(channel, sampleAt(startMs), sampleAt(endMs))
    // Silence does not even load the model.
    guesses.push({ startMs, endMs, ...(await (await model())(upsample(samples))) })
  }
  return guesses
}

const sampleAt = (ms: number) => Math.round((ms * RECORDING_RATE) / 1_000)

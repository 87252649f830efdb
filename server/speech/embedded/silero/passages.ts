import { RECOGNITION_LIMITS } from '../../limits.ts'
import type { RecordingFile } from '../../recording-file.ts'
import { type SpeechInterval, speechIntervalsOf } from './speech-intervals.ts'
import type { VoiceActivity } from './voice-activity.ts'

/** What each channel says, in pieces that are fit to be recognised. */
export async function passagesOf(
  recording: RecordingFile,
  activity: VoiceActivity,
): Promise<SpeechInterval[][]> {
  const channels: SpeechInterval[][] = []
  for (let channel = 0; channel < recording.channels; channel++)
    channels.push(speechIntervalsOf(await activity(recording, channel)))
  return channels.map((own, channel) => join(own, channels[1 - channel] ?? []).map(withMargin))
}

function join(own: SpeechInterval[], others: SpeechInterval[]): SpeechInterval[] {
  const turns = others.filter(({ startMs, endMs }) => endMs - startMs >= RECOGNITION_LIMITS.turnMs)
  const joined: SpeechInterval[] = []
  let turn = 0
  for (const stretch of own) {
    const last = joined.at(-1)
    const spokenUntil = last?.endMs ?? 0
    while (turn < turns.length && turns[turn]!.startMs < spokenUntil) turn++
    const interrupted = turn < turns.length && turns[turn]!.startMs < stretch.startMs
    const fits =
      last &&
      stretch.startMs - last.endMs <= RECOGNITION_LIMITS.passageGapMs &&
      stretch.endMs - last.startMs <= RECOGNITION_LIMITS.passageMsMax
    if (fits && !interrupted) last.endMs = stretch.endMs
    else joined.push({ ...stretch })
  }
  return joined
}

const withMargin = ({ startMs, endMs }: SpeechInterval): SpeechInterval => ({
  startMs: Math.max(0, Math.round(startMs - RECOGNITION_LIMITS.marginMs)),
  endMs: Math.round(endMs + RECOGNITION_LIMITS.marginMs),
})

import { RECOGNITION_LIMITS } from '../../limits.ts'
import type { RecordingFile } from '../recording-file.ts'
import { type Stretch, stretchesOf } from './stretches.ts'
import type { VoiceActivity } from './voice-activity.ts'

/** What each channel says, in pieces that are fit to be recognised. */
export async function passagesOf(recording: RecordingFile, activity: VoiceActivity): Promise<Stretch[][]> {
  const channels: Stretch[][] = []
  for (let channel = 0; channel < recording.channels; channel++)
    channels.push(stretchesOf(await activity(recording, channel)))
  return channels.map((own, channel) => join(own, channels[1 - channel] ?? []).map(withMargin))
}

function join(own: Stretch[], others: Stretch[]): Stretch[] {
  const turns = others.filter(({ startMs, endMs }) => endMs - startMs >= RECOGNITION_LIMITS.turnMs)
  const joined: Stretch[] = []
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

const withMargin = ({ startMs, endMs }: Stretch): Stretch => ({
  startMs: Math.max(0, Math.round(startMs - RECOGNITION_LIMITS.marginMs)),
  endMs: Math.round(endMs + RECOGNITION_LIMITS.marginMs),
})

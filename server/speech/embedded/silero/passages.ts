import { RECOGNITION_LIMITS } from '../../recognition.ts'
import type { RecordingFile } from '../recording-file.ts'
import { type Stretch, stretchesOf } from './stretches.ts'
import type { VoiceActivity } from './voice-activity.ts'

const LIMITS = {
  /** A recogniser makes more of a sentence than of its pieces: shorter gaps do not part them. */
  gapMs: 2_000,
  /** Unless the other one says something in the gap, and more than "yes": that is a turn, and turns stay in order. */
  turnMs: 1_000,
  /** Words begin before they are loud enough to be noticed. */
  marginMs: 200,
}

/** What each channel says, in pieces that are fit to be recognised. */
export async function passagesOf(recording: RecordingFile, activity: VoiceActivity): Promise<Stretch[][]> {
  const channels: Stretch[][] = []
  for (let channel = 0; channel < recording.channels; channel++)
    channels.push(stretchesOf(await activity(recording, channel)))
  return channels.map((own, channel) => join(own, channels[1 - channel] ?? []).map(withMargin))
}

function join(own: Stretch[], others: Stretch[]): Stretch[] {
  const turns = others.filter(({ startMs, endMs }) => endMs - startMs >= LIMITS.turnMs)
  const joined: Stretch[] = []
  let turn = 0
  for (const stretch of own) {
    const last = joined.at(-1)
    const spokenUntil = last?.endMs ?? 0
    while (turn < turns.length && turns[turn]!.startMs < spokenUntil) turn++
    const interrupted = turn < turns.length && turns[turn]!.startMs < stretch.startMs
    const fits =
      last &&
      stretch.startMs - last.endMs <= LIMITS.gapMs &&
      stretch.endMs - last.startMs <= RECOGNITION_LIMITS.passageMsMax
    if (fits && !interrupted) last.endMs = stretch.endMs
    else joined.push({ ...stretch })
  }
  return joined
}

const withMargin = ({ startMs, endMs }: Stretch): Stretch => ({
  startMs: Math.max(0, Math.round(startMs - LIMITS.marginMs)),
  endMs: Math.round(endMs + LIMITS.marginMs),
})

import { RECORDING_RATE } from '../../platform/audio/recording.ts'
import type { SpeechInterval } from '../embedded/silero/speech-intervals.ts'
import { HEADER_BYTES, writeHeader } from '../embedded/wav.ts'
import { SPEECH_ENDPOINT_LIMITS } from '../limits.ts'
import type { Phrase } from '../recognition.ts'
import type { RecordingFile } from '../recording-file.ts'

/** A passage, and where it stands in the sound that is sent. */
interface Placed extends SpeechInterval {
  atMs: number
}

/** Several stretches of one channel, sent as one file: silence is neither sent nor paid for. */
export interface Batch {
  passages: Placed[]
  lengthMs: number
}

export function batchesOf(passages: SpeechInterval[]): Batch[] {
  const batches: Batch[] = []
  for (const passage of passages) {
    const lengthMs = passage.endMs - passage.startMs
    let batch = batches.at(-1)
    if (
      !batch ||
      batch.lengthMs + SPEECH_ENDPOINT_LIMITS.batchPauseMs + lengthMs > SPEECH_ENDPOINT_LIMITS.batchMs
    ) {
      batch = { passages: [], lengthMs: 0 }
      batches.push(batch)
    }
    const atMs = batch.lengthMs === 0 ? 0 : batch.lengthMs + SPEECH_ENDPOINT_LIMITS.batchPauseMs
    batch.passages.push({ ...passage, atMs })
    batch.lengthMs = atMs + lengthMs
  }
  return batches
}

/** The audio of a batch, as a WAV file. */
export async function wavOfBatch(recording: RecordingFile, channel: number, batch: Batch): Promise<Buffer> {
  const wav = Buffer.alloc(HEADER_BYTES + samplesIn(batch.lengthMs) * 2)
  writeHeader(wav, RECORDING_RATE)
  for (const { startMs, endMs, atMs } of batch.passages) {
    const samples = await recording.read(channel, samplesIn(startMs), samplesIn(endMs))
    for (let i = 0; i < samples.length; i++) {
      const at = HEADER_BYTES + (samplesIn(atMs) + i) * 2
      if (at + 2 <= wav.length) wav.writeInt16LE(Math.round(samples[i]! * 32_767), at)
    }
  }
  return wav
}

/** Converts a time in the batch to a time in the recording. */
export function positionIn({ passages }: Batch, heard: { startMs: number; text: string }): Phrase {
  const passage = passages.findLast(({ atMs }) => atMs <= heard.startMs) ?? passages[0]!
  const startMs = Math.min(passage.startMs + Math.max(0, heard.startMs - passage.atMs), passage.endMs)
  return { startMs, endMs: passage.endMs, text: heard.text }
}

const samplesIn = (ms: number) => Math.round((ms * RECORDING_RATE) / 1_000)

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { arrange, chord, noise, recordingOf, silence } from '../../test/harness/sound/telephone-sound.ts'
import { type Recogniser, SpeechFailed } from './port.ts'

export interface RecogniserFixture {
  recogniser: Recogniser
  /** About three seconds of speech in a language that the recogniser supports. */
  speech: Int16Array
  language: string
}

const LISTENING_MS = 120_000

/** Unlike `rejects`, shows the transcript if there was one. */
export const speechFailureOf = (listening: Promise<unknown>): Promise<string> =>
  listening.then(
    (transcript) => `transcribed: ${JSON.stringify(transcript)}`,
    (error: unknown) => (error instanceof SpeechFailed ? error.why : String(error)),
  )

/** Keeps recordings while a test file runs. */
export function recordingFolder(): (recording: Buffer) => Promise<string> {
  let folder: string
  let serial = 0
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bellhop-recordings-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return async (recording) => {
    const file = join(folder, `${serial++}.wav`)
    await writeFile(file, recording)
    return file
  }
}

/** The contract of every recogniser. */
export function recogniserContract(stage: () => RecogniserFixture): void {
  const keep = recordingFolder()
  const transcribe = async (recording: Buffer) => {
    const { recogniser, language } = stage()
    return recogniser.transcribe({ file: await keep(recording), language })
  }

  test(
    'each channel has its own phrases, with their times',
    async () => {
      const { speech } = stage()
      const seconds = speech.length / 8_000
      const left = arrange([1, speech], [seconds + 12, speech])
      const right = arrange([seconds + 5, speech])
      const { channels } = await transcribe(recordingOf(left, right))
      expect(channels).toHaveLength(2)
      const starts = channels.map((phrases) => phrases.map(({ startMs }) => Math.round(startMs / 1_000)))
      expect(starts).toEqual([[1, Math.round(seconds + 12)], [Math.round(seconds + 5)]])
      for (const phrase of channels.flat()) {
        expect(phrase.text).toMatch(/^\S.*\S$/)
        expect(phrase.endMs).toBeGreaterThan(phrase.startMs)
      }
    },
    LISTENING_MS,
  )

  const melody = [262, 330, 392, 523, 392, 330].map(
    (hz, i) => [i, chord(1, [hz, hz * 2, hz * 3])] as [number, Int16Array],
  )
  test.each<[string, Int16Array]>([
    ['silence', silence(20)],
    ['a line with hum and hiss', noise(10, 0.02)],
    ['loud noise', noise(10, 0.4)],
    [
      'DTMF tones',
      arrange([0, chord(0.3, [697, 1_209])], [1, chord(0.3, [852, 1_477])], [2, chord(2, [941, 1_336])]),
    ],
    ['ringing', arrange([0, chord(1, [425])], [5, chord(1, [425])])],
    [
      'hold music',
      arrange(...melody, ...melody.map(([at, sound]) => [at + 6, sound] as [number, Int16Array])),
    ],
    ['nothing at all', silence(0)],
  ])(
    '%s gives no phrases',
    async (_, sound) => {
      expect(await transcribe(recordingOf(sound))).toEqual({ channels: [[]] })
      expect(await transcribe(recordingOf(sound, sound))).toEqual({ channels: [[], []] })
    },
    LISTENING_MS,
  )

  test(
    'a file in another format is refused for good',
    async () => {
      const whole = recordingOf(silence(1))
      const at16kHz = Buffer.from(whole)
      at16kHz.writeUInt32LE(16_000, 24)
      const ofThreeChannels = Buffer.from(whole)
      ofThreeChannels.writeUInt16LE(3, 22)
      const withoutSound = whole.subarray(0, 36)
      for (const broken of [Buffer.alloc(0), Buffer.from('ID3'), at16kHz, ofThreeChannels, withoutSound])
        expect(await speechFailureOf(transcribe(broken))).toBe('recording')
    },
    LISTENING_MS,
  )

  test(
    'a truncated recording is transcribed as far as it goes',
    async () => {
      const { speech } = stage()
      const whole = recordingOf(arrange([0, speech], [speech.length / 8_000 + 8, speech]))
      const { channels } = await transcribe(whole.subarray(0, 44 + speech.length * 2 + 8_001))
      expect(channels[0]).toHaveLength(1)
    },
    LISTENING_MS,
  )
}

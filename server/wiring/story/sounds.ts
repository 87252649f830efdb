import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { decodeG711 } from '../../media/audio/g711.ts'
import { wavHeader } from '../../media/audio/wav-writer.ts'
import { packageRoot } from '../../platform/package-root.ts'
import { type SoundName, SPOKEN, type SpokenTurn } from './conversations.ts'

const FOLDER = join(packageRoot, 'server/wiring/story/sounds')
const SAMPLES_PER_MS = 8

export interface TimedTurn extends SpokenTurn {
  startMs: number
  endMs: number
}

export interface Sound {
  turns: TimedTurn[]
  durationMs: number
  /** One channel, as voicemails have. */
  mono: Buffer
  /** The customer is left and the employee right, as in recordings of calls. */
  stereo: Buffer
}

/** The files have A-law, as on the telephone: half the size of what is stored. */
export async function readSound(name: SoundName): Promise<Sound> {
  const [codes, times] = await Promise.all([
    readFile(join(FOLDER, `${name}.alaw`)),
    readFile(join(FOLDER, 'turns.json'), 'utf8'),
  ])
  const timed = JSON.parse(times) as Record<SoundName, { startMs: number; endMs: number }[]>
  const turns = SPOKEN[name].map(({ by, text }, i) => {
    const { startMs, endMs } = timed[name][i]!
    return { by, text, startMs, endMs }
  })
  const samples = decodeG711('pcma', codes)
  return {
    turns,
    durationMs: samples.length / SAMPLES_PER_MS,
    mono: wavOf(samples, 1),
    stereo: wavOf(inTwoChannels(samples, turns), 2),
  }
}

function inTwoChannels(samples: Int16Array, turns: TimedTurn[]): Int16Array {
  const both = new Int16Array(samples.length * 2)
  for (const { by, startMs, endMs } of turns) {
    const channel = by === 'customer' ? 0 : 1
    for (let at = startMs * SAMPLES_PER_MS; at < endMs * SAMPLES_PER_MS; at++)
      both[at * 2 + channel] = samples[at]!
  }
  return both
}

const wavOf = (samples: Int16Array, channels: 1 | 2) =>
  Buffer.concat([
    wavHeader(channels, samples.byteLength),
    Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength),
  ])

/**
 * Claim: transcribing a second of speech takes at most a fifth of a second of one core, so that a core transcribes at
 * least 5 seconds of speech a second, and silence costs almost nothing: at least 50. Compared with audio itself, which
 * has one second a second. CPU time is what the operating system reports for the engine, so other work on the machine
 * does not count.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createResampler } from '../../server/media/audio/resampler.ts'
import { openWav } from '../../server/media/audio/wav-reader.ts'
import { wavHeader } from '../../server/media/audio/wav-writer.ts'
import { systemClock } from '../../server/platform/clock.ts'
import { createLog } from '../../server/platform/log.ts'
import { createEmbeddedRecogniser } from '../../server/speech/embedded/recogniser.ts'
import { createEmbeddedSynthesiser } from '../../server/speech/embedded/synthesiser.ts'
import type { Recogniser } from '../../server/speech/port.ts'
import { type Bench, compare, type Contender, TIMINGS } from '../measure.ts'

const TEXT =
  'Good morning, I ordered a red bicycle last week, and it has still not arrived at my address. ' +
  'Let me have a look at your order. The delivery was delayed because of the snow. ' +
  'I will call you back tomorrow before noon with an answer.'
const RATE = 8_000
const SILENT_SECONDS = 120
/** Ticks per second of the kernel's clock in /proc, the same on every Linux. */
const TICKS_PER_SECOND = 100

const soundAsItPasses: Contender = async () => 1

export const transcription: Bench = {
  name: 'transcription',
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'bellhop-bench-'))
    const parts = { clock: systemClock, log: createLog({ level: 'warn' }) }
    const recogniser = createEmbeddedRecogniser({ atOnce: 1, ...parts })
    try {
      const speech = await recordSpeech(parts)
      const silence = new Int16Array(SILENT_SECONDS * RATE)
      const findings = []
      for (const [what, sound, goal] of [
        ['speech put into words, seconds of sound per second of CPU', speech, 5],
        ['silence listened to, seconds of sound per second of CPU', silence, 50],
      ] as const) {
        const file = join(folder, 'recording.wav')
        const bytes = Buffer.from(sound.buffer, sound.byteOffset, sound.byteLength)
        await writeFile(file, Buffer.concat([wavHeader(1, bytes.length, RATE), bytes]))
        const listening = listenTo(recogniser, file, sound.length / RATE)
        const comparison = await compare(listening, soundAsItPasses, TIMINGS.heavy)
        const sides: [string, string] = ['Bellhop:', 'sound as it passes:']
        findings.push({ what, sides, goal, ...comparison })
      }
      return findings
    } finally {
      await recogniser.close()
      await rm(folder, { recursive: true, force: true })
    }
  },
}

async function recordSpeech(parts: Parameters<typeof createEmbeddedSynthesiser>[0]): Promise<Int16Array> {
  const speaker = createEmbeddedSynthesiser(parts)
  const read = openWav(await speaker.speak({ text: TEXT, language: 'en' }))
  await speaker.close()
  if (!read.ok) throw new Error(`the speaker gave no sound: ${read.why}`)
  const resampler = createResampler(read.wav)
  return resampler.render(0, resampler.length)
}

/** The first round, which is not counted, starts the engine. */
function listenTo(recogniser: Recogniser, file: string, seconds: number): Contender {
  return async () => {
    const before = await engineTicks()
    await recogniser.transcribe({ file, language: 'en' })
    return (seconds * TICKS_PER_SECOND) / Math.max(1, (await engineTicks()) - before)
  }
}

/** The CPU time that the engine, our child process, has used so far. */
async function engineTicks(): Promise<number> {
  let ticks = 0
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    // After the name, which may contain spaces: state, parent, …; the 12th and 13th are user and system time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (Number(fields[1]) === process.pid) ticks += Number(fields[11]) + Number(fields[12])
  }
  return ticks
}

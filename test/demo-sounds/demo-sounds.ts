import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { test } from 'vitest'

import { encodeG711 } from '../../server/media/audio/g711.ts'
import { createResampler } from '../../server/media/audio/resampler.ts'
import { openWav } from '../../server/media/audio/wav-reader.ts'
import { packageRoot } from '../../server/platform/package-root.ts'
import { pronounce } from '../../server/speech/embedded/piper/english/pronounce.ts'
import { spokenText } from '../../server/speech/embedded/piper/english/spoken-text.ts'
import { loadVoice, type PiperVoice } from '../../server/speech/embedded/piper/voice.ts'
import { plainText } from '../../server/speech/embedded/plain-text.ts'
import { encodeWav, SPEECH_SAMPLE_RATE } from '../../server/speech/embedded/wav.ts'
import { SPOKEN, type SpokenTurn } from '../../server/wiring/story/conversations.ts'

/** `npm run demo-sounds`: has the conversations of the demo company spoken, once, into files that are shipped. */

const FOLDER = join(packageRoot, 'server/wiring/story/sounds')
const SAMPLES_PER_MS = 8
/** Speakers of libritts_r that are clear in the telephone band. */
const VOICES = { employee: 79, customer: 700 }
const PAUSE_MS = 300

test('the conversations of the demo company', async () => {
  const voices = {
    employee: await loadVoice(VOICES.employee),
    customer: await loadVoice(VOICES.customer),
  }
  const turns: Record<string, { startMs: number; endMs: number }[]> = {}
  for (const [name, conversation] of Object.entries<SpokenTurn[]>(SPOKEN)) {
    const pieces: Int16Array[] = []
    let samples = 0
    const add = (piece: Int16Array) => {
      pieces.push(piece)
      samples += piece.length
    }
    turns[name] = []
    for (const { by, text } of conversation) {
      const startMs = samples / SAMPLES_PER_MS
      add(await spoken(voices[by], text))
      turns[name].push({ startMs: Math.round(startMs), endMs: Math.round(samples / SAMPLES_PER_MS) })
      add(new Int16Array(PAUSE_MS * SAMPLES_PER_MS))
    }
    const all = new Int16Array(samples)
    let at = 0
    for (const piece of pieces) {
      all.set(piece, at)
      at += piece.length
    }
    await writeFile(join(FOLDER, `${name}.alaw`), encodeG711('pcma', all))
  }
  await writeFile(join(FOLDER, 'turns.json'), `${JSON.stringify(turns, null, 2)}\n`)
})

async function spoken(voice: PiperVoice, text: string): Promise<Int16Array> {
  const parts: number[] = []
  for (const sentence of spokenText(plainText(text)).match(/[^.!?]+[.!?]*/g) ?? []) {
    for (const sample of await voice(pronounce(sentence))) parts.push(sample)
    for (let i = 0; i < SPEECH_SAMPLE_RATE / 5; i++) parts.push(0)
  }
  const read = openWav(encodeWav(Float32Array.from(parts))!)
  if (!read.ok) throw new Error(read.why)
  const { length, render } = createResampler(read.wav)
  return render(0, length)
}

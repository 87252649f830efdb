/** G.711: 8 bits a sample, in A-law (Europe) or mu-law (North America, Japan). */
export type Law = 'pcma' | 'pcmu'

export const LAWS: readonly Law[] = ['pcma', 'pcmu']

const BIT_DEPTH_SAMPLES = 65_536

function decodeALaw(code: number): number {
  const bits = code ^ 0x55
  const segment = (bits & 0x70) >> 4
  const step = ((bits & 0x0f) << 4) + (segment === 0 ? 0x008 : 0x108)
  const size = segment > 1 ? step << (segment - 1) : step
  return bits & 0x80 ? size : -size
}

function decodeMuLaw(code: number): number {
  const bits = ~code & 0xff
  const size = ((((bits & 0x0f) << 3) + 0x84) << ((bits & 0x70) >> 4)) - 0x84
  return bits & 0x80 ? -size : size
}

function encodeALaw(sample: number): number {
  const sign = sample >= 0 ? 0xd5 : 0x55
  const size = (sample >= 0 ? sample : -sample - 1) >> 3
  const segment = segmentOf(size, 0x1f)
  if (segment === 8) return 0x7f ^ sign
  return ((segment << 4) | ((segment < 2 ? size >> 1 : size >> segment) & 0x0f)) ^ sign
}

function encodeMuLaw(sample: number): number {
  const sign = sample < 0 ? 0x7f : 0xff
  const size = Math.min(Math.abs(sample) >> 2, 8_159) + 33
  const segment = segmentOf(size, 0x3f)
  if (segment === 8) return 0x7f ^ sign
  return ((segment << 4) | ((size >> (segment + 1)) & 0x0f)) ^ sign
}

/** Segments double in width; the first ends at `end`. */
function segmentOf(size: number, end: number): number {
  let segment = 0
  for (let limit = end; segment < 8 && size > limit; limit = limit * 2 + 1) segment++
  return segment
}

const signed = (bits: number) => (bits << 16) >> 16

const DECODED: Record<Law, Int16Array> = {
  pcma: Int16Array.from({ length: 256 }, (_, code) => decodeALaw(code)),
  pcmu: Int16Array.from({ length: 256 }, (_, code) => decodeMuLaw(code)),
}

const ENCODED: Record<Law, Uint8Array> = { pcma: tableOf(encodeALaw), pcmu: tableOf(encodeMuLaw) }

/** Every process and thread starts with it: one sample after the other takes 8 ms for each law. */
function tableOf(encode: (sample: number) => number): Uint8Array {
  const table = new Uint8Array(BIT_DEPTH_SAMPLES)
  /** Samples of one sign with the same code are neighbours. */
  function fill(first: number, last: number): void {
    const code = encode(signed(first))
    if (code === encode(signed(last))) {
      table.fill(code, first, last + 1)
      return
    }
    const middle = (first + last) >> 1
    fill(first, middle)
    fill(middle + 1, last)
  }
  fill(0, 0x7fff)
  fill(0x8000, 0xffff)
  return table
}

/** From the named law to the other. */
const OTHER: Record<Law, Uint8Array> = {
  pcma: Uint8Array.from(DECODED.pcma, (sample) => ENCODED.pcmu[sample & 0xffff]!),
  pcmu: Uint8Array.from(DECODED.pcmu, (sample) => ENCODED.pcma[sample & 0xffff]!),
}

export const SILENT_CODE: Record<Law, number> = { pcma: ENCODED.pcma[0]!, pcmu: ENCODED.pcmu[0]! }

export function decodeG711(law: Law, codes: Uint8Array): Int16Array {
  const table = DECODED[law]
  const samples = new Int16Array(codes.length)
  for (let i = 0; i < codes.length; i++) samples[i] = table[codes[i]!]!
  return samples
}

export function encodeG711(law: Law, samples: Int16Array): Uint8Array {
  const codes = new Uint8Array(samples.length)
  encodeInto(law, samples, codes)
  return codes
}

function encodeInto(law: Law, samples: Int16Array, codes: Uint8Array): void {
  const table = ENCODED[law]
  for (let i = 0; i < samples.length; i++) codes[i] = table[samples[i]! & 0xffff]!
}

/** Converts from one law to the other, in place. */
export function transcodeG711(from: Law, codes: Uint8Array): void {
  const table = OTHER[from]
  for (let i = 0; i < codes.length; i++) codes[i] = table[codes[i]!]!
}

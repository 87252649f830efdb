/** What is kept of a vector: a signed byte for each dimension, which leaves the cosine right to about a thousandth. */
export function packVector(vector: Float32Array): Buffer {
  const largest = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 0)
  return Buffer.from(Int8Array.from(vector, (value) => Math.round((value / largest) * 127)).buffer)
}

export function unpackVector(packed: Buffer): Int8Array {
  return new Int8Array(packed.buffer, packed.byteOffset, packed.byteLength)
}

/** As PostgreSQL reads a bit string. */
export function signsOf(vector: ArrayLike<number>): string {
  let signs = ''
  for (let i = 0; i < vector.length; i++) signs += vector[i]! > 0 ? '1' : '0'
  return signs
}

/** `of` need not have length 1. */
export function cosine(to: Float32Array, of: ArrayLike<number>): number {
  let product = 0
  let squares = 0
  for (let i = 0; i < to.length; i++) {
    product += to[i]! * of[i]!
    squares += of[i]! ** 2
  }
  return squares === 0 ? 0 : product / Math.sqrt(squares)
}

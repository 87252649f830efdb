/** What is kept of a vector: a signed byte for each dimension, which leaves the cosine right to about a thousandth. */
export function packVector(vector: Float32Array): Buffer {
  let largest = 0
  for (const value of vector) largest = Math.max(largest, Math.abs(value))
  const packed = new Int8Array(vector.length)
  for (let i = 0; i < vector.length; i++) packed[i] = Math.round((vector[i]! / largest) * 127)
  return Buffer.from(packed.buffer)
}

export function unpackVector(packed: Buffer): Int8Array {
  return new Int8Array(packed.buffer, packed.byteOffset, packed.byteLength)
}

/** As PostgreSQL reads a bit string. Not put together sign by sign: such a text takes as much room as a page. */
export function signsOf(vector: ArrayLike<number>): string {
  const signs = Buffer.allocUnsafe(vector.length)
  for (let i = 0; i < vector.length; i++) signs[i] = vector[i]! > 0 ? 0x31 : 0x30
  return signs.toString('latin1')
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

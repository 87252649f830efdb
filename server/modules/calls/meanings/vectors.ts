/** Quantises a vector to a signed byte per dimension, which keeps the cosine accurate to about 0.001. */
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

/** A PostgreSQL bit string. Built in a buffer, because concatenating single characters takes far more memory. */
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

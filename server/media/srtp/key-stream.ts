import { createCipheriv } from 'node:crypto'

const BLOCK = 16

/** AES in counter mode as SRTP uses it (RFC 3711 §4.1.1). */
export function createKeyStream(key: Buffer, salt: Buffer) {
  // One cipher for the lifetime of the key encrypts blocks of counters; one for each packet would cost ten times more.
  const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false)
  let counters = Buffer.alloc(BLOCK * 16)
  const first = Buffer.alloc(14)
  return {
    /** Encrypts or decrypts bytes[start, end) in place. */
    apply(bytes: Buffer, start: number, end: number, ssrc: number, index: number): void {
      const blocks = Math.ceil((end - start) / BLOCK)
      if (blocks * BLOCK > counters.length) counters = Buffer.alloc(blocks * BLOCK)
      salt.copy(first)
      const [high, low] = [Math.floor(index / 65_536), index & 0xffff]
      for (let i = 0; i < 4; i++) {
        first[4 + i]! ^= ssrc >>> (24 - 8 * i)
        first[8 + i]! ^= high >>> (24 - 8 * i)
      }
      first[12]! ^= low >> 8
      first[13]! ^= low
      for (let block = 0; block < blocks; block++) {
        counters.set(first, block * BLOCK)
        counters[block * BLOCK + 14] = block >> 8
        counters[block * BLOCK + 15] = block
      }
      const stream = cipher.update(counters.subarray(0, blocks * BLOCK))
      for (let at = start, i = 0; at < end; at++, i++) bytes[at]! ^= stream[i]!
    },
  }
}

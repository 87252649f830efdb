const BLOCK = 64
const START = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0]

/**
 * HMAC-SHA1 over a packet and four more bytes, which SRTP needs for every packet. Node's HMAC is made for large
 * inputs: here its objects would cost more than the hashing.
 */
export function createSha1Hmac(key: Uint8Array) {
  const words = new Int32Array(80)
  const inner = Int32Array.from(START)
  const outer = Int32Array.from(START)
  const padded = new Uint8Array(BLOCK)
  padded.set(key)
  compress(
    inner,
    padded.map((byte) => byte ^ 0x36),
    0,
    words,
  )
  compress(
    outer,
    padded.map((byte) => byte ^ 0x5c),
    0,
    words,
  )
  const state = new Int32Array(5)
  const tail = new Uint8Array(2 * BLOCK)
  const digest = new Uint8Array(BLOCK)
  return {
    /** Writes the first `tagBytes` of the HMAC over bytes[0, end) followed by `suffix`. */
    sign(bytes: Uint8Array, end: number, suffix: number, tag: Uint8Array, tagBytes: number): void {
      state.set(inner)
      let at = 0
      for (; at + BLOCK <= end; at += BLOCK) compress(state, bytes, at, words)
      tail.fill(0)
      let filled = 0
      for (; at < end; at++) tail[filled++] = bytes[at]!
      writeWord(tail, filled, suffix)
      tail[filled + 4] = 0x80
      const length = filled + 4 + 9 <= BLOCK ? BLOCK : 2 * BLOCK
      writeWord(tail, length - 4, (BLOCK + end + 4) * 8)
      compress(state, tail, 0, words)
      if (length > BLOCK) compress(state, tail, BLOCK, words)
      digest.fill(0)
      for (let i = 0; i < 5; i++) writeWord(digest, i * 4, state[i]!)
      digest[20] = 0x80
      writeWord(digest, BLOCK - 4, (BLOCK + 20) * 8)
      state.set(outer)
      compress(state, digest, 0, words)
      for (let i = 0; i < tagBytes; i++) tag[i] = state[i >> 2]! >>> (24 - 8 * (i & 3))
    },
  }
}

function writeWord(bytes: Uint8Array, at: number, word: number): void {
  bytes[at] = word >>> 24
  bytes[at + 1] = word >>> 16
  bytes[at + 2] = word >>> 8
  bytes[at + 3] = word
}

/** One block of SHA-1 (FIPS 180-4 §6.1.2). */
function compress(state: Int32Array, bytes: Uint8Array, start: number, words: Int32Array): void {
  for (let t = 0, at = start; t < 16; t++, at += 4) {
    words[t] = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!
  }
  for (let t = 16; t < 80; t++) {
    const x = words[t - 3]! ^ words[t - 8]! ^ words[t - 14]! ^ words[t - 16]!
    words[t] = (x << 1) | (x >>> 31)
  }
  let a = state[0]!
  let b = state[1]!
  let c = state[2]!
  let d = state[3]!
  let e = state[4]!
  for (let t = 0; t < 80; t++) {
    const mixed =
      t < 20
        ? ((b & c) | (~b & d)) + 0x5a827999
        : t < 40
          ? (b ^ c ^ d) + 0x6ed9eba1
          : t < 60
            ? ((b & c) | (b & d) | (c & d)) - 0x70e44324
            : (b ^ c ^ d) - 0x359d3e2a
    const next = (((a << 5) | (a >>> 27)) + mixed + e + words[t]!) | 0
    e = d
    d = c
    c = (b << 30) | (b >>> 2)
    b = a
    a = next
  }
  state[0] = (state[0]! + a) | 0
  state[1] = (state[1]! + b) | 0
  state[2] = (state[2]! + c) | 0
  state[3] = (state[3]! + d) | 0
  state[4] = (state[4]! + e) | 0
}

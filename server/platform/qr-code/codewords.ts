import { type Version, VERSIONS } from './versions.ts'

const BYTE_MODE = 0b0100
const PADDING = [0xec, 0x11]

export interface Encoded {
  version: Version
  codewords: number[]
}

/** The text in the smallest symbol that holds it, with its error correction; undefined if none does. */
export function encode(text: string): Encoded | undefined {
  const bytes = Buffer.from(text, 'utf8')
  const version = VERSIONS.find(
    (version) => headerBits(version) + bytes.length * 8 <= dataCodewords(version) * 8,
  )
  return version && { version, codewords: interleave(version, dataOf(version, bytes)) }
}

const dataCodewords = ({ codewords, blocks, correctionPerBlock }: Version) =>
  codewords - blocks * correctionPerBlock

const lengthBits = ({ number }: Version) => (number < 10 ? 8 : 16)

const headerBits = (version: Version) => 4 + lengthBits(version)

function dataOf(version: Version, bytes: Buffer): number[] {
  const capacity = dataCodewords(version)
  let bits = bitsOf(BYTE_MODE, 4) + bitsOf(bytes.length, lengthBits(version))
  for (const byte of bytes) bits += bitsOf(byte, 8)
  bits += '0'.repeat(Math.min(4, capacity * 8 - bits.length))
  bits += '0'.repeat((8 - (bits.length % 8)) % 8)
  const data = (bits.match(/.{8}/g) ?? []).map((octet) => Number.parseInt(octet, 2))
  for (let i = 0; data.length < capacity; i++) data.push(PADDING[i % 2]!)
  return data
}

const bitsOf = (value: number, length: number) => value.toString(2).padStart(length, '0')

/** Blocks are read across, so that a stain spoils a little of each. The last blocks may be one codeword longer. */
function interleave(version: Version, data: number[]): number[] {
  const { blocks, correctionPerBlock } = version
  const short = Math.floor(data.length / blocks)
  const longer = data.length % blocks
  const divisor = generator(correctionPerBlock)
  const parts: { data: number[]; correction: number[] }[] = []
  for (let index = 0, start = 0; index < blocks; index++) {
    const length = short + (index >= blocks - longer ? 1 : 0)
    const part = data.slice(start, start + length)
    parts.push({ data: part, correction: remainder(part, divisor) })
    start += length
  }
  const across = (length: number, of: (part: (typeof parts)[number]) => number[]) =>
    Array.from({ length }, (_, index) => parts.map((part) => of(part)[index])).flat()
  return [
    ...across(short + 1, (part) => part.data),
    ...across(correctionPerBlock, (part) => part.correction),
  ].filter((codeword) => codeword !== undefined)
}

/** The product of (x - 2^i) over the field, highest power left out. */
function generator(degree: number): number[] {
  let result = [...Array.from({ length: degree - 1 }, () => 0), 1]
  let root = 1
  for (let i = 0; i < degree; i++) {
    result = result.map((value, index) => multiply(value, root) ^ (result[index + 1] ?? 0))
    root = multiply(root, 2)
  }
  return result
}

function remainder(data: number[], divisor: number[]): number[] {
  const result = divisor.map(() => 0)
  for (const value of data) {
    const factor = value ^ result.shift()!
    result.push(0)
    divisor.forEach((coefficient, index) => (result[index]! ^= multiply(coefficient, factor)))
  }
  return result
}

/** In the field of 256 elements modulo x^8 + x^4 + x^3 + x^2 + 1. */
function multiply(a: number, b: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d)
    product ^= ((b >>> bit) & 1) * a
  }
  return product
}

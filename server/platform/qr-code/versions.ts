/** Symbols of ISO/IEC 18004 with error correction level M, up to version 20: room for 666 bytes. */
export interface Version {
  number: number
  /** Modules on a side. */
  size: number
  codewords: number
  blocks: number
  correctionPerBlock: number
}

/** By version from 1: how many blocks the data is cut into, and how many codewords correct each. */
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16]
const CORRECTION_PER_BLOCK = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26]

export const VERSIONS: Version[] = BLOCKS.map((blocks, index) => {
  const number = index + 1
  return {
    number,
    size: number * 4 + 17,
    codewords: Math.floor(dataModules(number) / 8),
    blocks,
    correctionPerBlock: CORRECTION_PER_BLOCK[index]!,
  }
})

/** The modules that no pattern and no information about the symbol itself takes. */
function dataModules(number: number): number {
  const all = (16 * number + 128) * number + 64
  if (number === 1) return all
  const aligned = Math.floor(number / 7) + 2
  return all - ((25 * aligned - 10) * aligned - 55) - (number >= 7 ? 36 : 0)
}

/** The rows, and columns, at which alignment patterns are centred. */
export function alignmentPositions({ number, size }: Version): number[] {
  if (number === 1) return []
  const count = Math.floor(number / 7) + 2
  const step = Math.ceil((size - 13) / (count * 2 - 2)) * 2
  const positions = Array.from({ length: count - 1 }, (_, index) => size - 7 - index * step)
  return [6, ...positions.toReversed()]
}

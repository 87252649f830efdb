import type { Encoded } from './codewords.ts'
import { type Modules, penaltyOf } from './penalty.ts'
import { alignmentPositions, type Version } from './versions.ts'

const MASKS: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

/** Of the eight masks, the one that leaves the fewest shapes that could mislead a reader. */
export function draw(encoded: Encoded): Modules {
  const drawn = MASKS.map((_, mask) => drawWith(encoded, mask))
  const penalties = drawn.map(penaltyOf)
  return drawn[penalties.indexOf(Math.min(...penalties))]!
}

function drawWith({ version, codewords }: Encoded, mask: number): Modules {
  const { size } = version
  const modules: Modules = Array.from({ length: size }, () => Array.from({ length: size }, () => false))
  const taken: Modules = modules.map((row) => [...row])
  const set = (x: number, y: number, dark: boolean) => {
    modules[y]![x] = dark
    taken[y]![x] = true
  }
  drawPatterns(version, set)
  drawFormat(size, mask, set)
  drawVersion(version, set)
  fill(codewords, size, taken, (x, y, dark) => (modules[y]![x] = dark !== MASKS[mask]!(x, y)))
  return modules
}

type SetModule = (x: number, y: number, dark: boolean) => void

function drawPatterns(version: Version, set: SetModule): void {
  const { size } = version
  for (let i = 0; i < size; i++) {
    set(6, i, i % 2 === 0)
    set(i, 6, i % 2 === 0)
  }
  drawFinder(3, 3, size, set)
  drawFinder(size - 4, 3, size, set)
  drawFinder(3, size - 4, size, set)
  const positions = alignmentPositions(version)
  const last = positions.at(-1)
  for (const x of positions) {
    for (const y of positions) {
      const inFinder = (x === 6 && (y === 6 || y === last)) || (x === last && y === 6)
      if (!inFinder) drawAlignment(x, y, set)
    }
  }
}

function drawFinder(centreX: number, centreY: number, size: number, set: SetModule): void {
  for (let dy = -4; dy <= 4; dy++) {
    for (let dx = -4; dx <= 4; dx++) {
      const [x, y] = [centreX + dx, centreY + dy]
      const ring = Math.max(Math.abs(dx), Math.abs(dy))
      if (x >= 0 && x < size && y >= 0 && y < size) set(x, y, ring !== 2 && ring !== 4)
    }
  }
}

function drawAlignment(centreX: number, centreY: number, set: SetModule): void {
  for (let dy = -2; dy <= 2; dy++) {
    for (let dx = -2; dx <= 2; dx++) {
      set(centreX + dx, centreY + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1)
    }
  }
}

/** The mask and the level of correction (M is 00), twice, each with correction of its own. */
function drawFormat(size: number, mask: number, set: SetModule): void {
  const bits = ((mask << 10) | remainderOf(mask, 10, 0x537)) ^ 0x5412
  const bit = (index: number) => ((bits >>> index) & 1) === 1
  for (let i = 0; i <= 5; i++) set(8, i, bit(i))
  set(8, 7, bit(6))
  set(8, 8, bit(7))
  set(7, 8, bit(8))
  for (let i = 9; i < 15; i++) set(14 - i, 8, bit(i))
  for (let i = 0; i < 8; i++) set(size - 1 - i, 8, bit(i))
  for (let i = 8; i < 15; i++) set(8, size - 15 + i, bit(i))
  set(8, size - 8, true)
}

function drawVersion({ number, size }: Version, set: SetModule): void {
  if (number < 7) return
  const bits = (number << 12) | remainderOf(number, 12, 0x1f25)
  for (let i = 0; i < 18; i++) {
    const dark = ((bits >>> i) & 1) === 1
    const [far, near] = [size - 11 + (i % 3), Math.floor(i / 3)]
    set(far, near, dark)
    set(near, far, dark)
  }
}

/** Of the value, shifted by the degree, divided by the polynomial. */
function remainderOf(value: number, degree: number, polynomial: number): number {
  let rest = value
  for (let i = 0; i < degree; i++) rest = (rest << 1) ^ ((rest >>> (degree - 1)) * polynomial)
  return rest
}

/** In columns of two, up and down in turn from the right, around what is taken. Left-over modules are light. */
function fill(codewords: number[], size: number, taken: Modules, set: SetModule): void {
  let index = 0
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5
    const upward = ((right + 1) & 2) === 0
    for (let step = 0; step < size; step++) {
      const y = upward ? size - 1 - step : step
      for (const x of [right, right - 1]) {
        if (taken[y]![x]) continue
        set(x, y, (((codewords[index >>> 3] ?? 0) >>> (7 - (index & 7))) & 1) === 1)
        index++
      }
    }
  }
}

/** Rows of modules; true is dark. */
export type Modules = boolean[][]

/** ISO/IEC 18004, 7.8.3: the lower, the easier to read. */
export function penaltyOf(modules: Modules): number {
  const columns = modules.map((_, x) => modules.map((row) => row[x]!))
  const lines = [...modules, ...columns].map((line) => line.map(Number).join(''))
  return sum(lines.map(runs)) + sum(lines.map(falseFinders)) + squares(modules) + imbalance(modules)
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

/** Five or more alike in a line. */
const runs = (line: string) => sum((line.match(/0{5,}|1{5,}/g) ?? []).map((run) => run.length - 2))

/** What looks like the middle of a finder pattern with light beside it. */
const falseFinders = (line: string) => 40 * [...line.matchAll(/(?=(00001011101|10111010000))/g)].length

/** Two by two alike. */
function squares(modules: Modules): number {
  let found = 0
  for (let y = 1; y < modules.length; y++) {
    for (let x = 1; x < modules.length; x++) {
      const dark = modules[y]![x]
      const alike =
        modules[y - 1]![x] === dark && modules[y]![x - 1] === dark && modules[y - 1]![x - 1] === dark
      if (alike) found++
    }
  }
  return 3 * found
}

/** Far from as much dark as light. */
function imbalance(modules: Modules): number {
  const dark = sum(modules.flat().map(Number))
  const share = (100 * dark) / modules.length ** 2
  return 10 * Math.floor(Math.abs(share - 50) / 5)
}

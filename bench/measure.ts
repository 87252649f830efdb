/** One of the two things that are compared: does its work for about `ms` and says how many units a second it did. */
export type Contender = (ms: number) => Promise<number>

export interface Comparison {
  /** Median of the ratios first : second of the single rounds. */
  ratio: number
  /** The middle half of the rounds lies between these. */
  spread: [number, number]
  first: number
  second: number
  rounds: number
}

/** What a comparison showed, beside what was claimed. */
export interface Finding extends Comparison {
  /** What is compared, and its unit. */
  what: string
  sides: [first: string, second: string]
  /** The least ratio that the claim allows. */
  goal: number
}

/** Claims about speed, as ratios that are measured in one run. */
export interface Bench {
  name: string
  run(): Promise<Finding[]>
}

export interface Timing {
  warmUpMs: number
  roundMs: number
  rounds: number
}

export const TIMINGS = {
  /** For a claim with a small margin. */
  thorough: { warmUpMs: 3_000, roundMs: 250, rounds: 120 },
  /** For many claims at once. */
  brisk: { warmUpMs: 1_000, roundMs: 200, rounds: 12 },
  /** For work that takes a moment to start. */
  steady: { warmUpMs: 1_500, roundMs: 600, rounds: 12 },
  /** For calls, whose audio takes real time. */
  calls: { warmUpMs: 3_000, roundMs: 500, rounds: 40 },
  /** For work that takes seconds for each unit. */
  heavy: { warmUpMs: 1, roundMs: 1, rounds: 6 },
} satisfies Record<string, Timing>

/**
 * What a machine does in a second changes from minute to minute, so speeds are compared only within one round, where
 * both sides take short turns right after one another. Who goes first changes each round.
 */
export async function compare(first: Contender, second: Contender, timing: Timing): Promise<Comparison> {
  await first(timing.warmUpMs)
  await second(timing.warmUpMs)
  const speeds: { first: number; second: number }[] = []
  for (let round = 0; round < timing.rounds; round++) {
    const speed = { first: 0, second: 0 }
    if (round % 2 === 0) speed.first = await first(timing.roundMs)
    speed.second = await second(timing.roundMs)
    if (round % 2 === 1) speed.first = await first(timing.roundMs)
    speeds.push(speed)
  }
  const ratios = speeds.map((speed) => speed.first / speed.second)
  const median = (of: (speed: (typeof speeds)[number]) => number) => quantile(speeds.map(of), 0.5)
  return {
    ratio: quantile(ratios, 0.5),
    spread: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
    first: median((speed) => speed.first),
    second: median((speed) => speed.second),
    rounds: timing.rounds,
  }
}

function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const below = sorted[Math.floor(at)]!
  const above = sorted[Math.ceil(at)]!
  return below + (above - below) * (at - Math.floor(at))
}

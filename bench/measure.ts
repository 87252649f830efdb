/** One of the two things that are compared: does its work for about `ms` and says how many units a second it did. */
export type Contender = (ms: number) => Promise<number>

export interface Comparison {
  /** Median of the ratios ours : bare of the single rounds. */
  ratio: number
  /** The middle half of the rounds lies between these. */
  spread: [number, number]
  ours: number
  bare: number
  rounds: number
}

/** A claim about speed, as a ratio that is measured in one run. */
export interface Bench {
  name: string
  /** What is compared, and its unit. */
  what: string
  /** The least ratio that the claim allows. */
  goal: number
  run(): Promise<Comparison>
}

const LIMITS = { warmUpMs: 3_000, roundMs: 250, rounds: 120 }

/**
 * What a machine does in a second changes from minute to minute, so speeds are compared only within one round, where
 * both sides take short turns right after one another. Who goes first changes each round.
 */
export async function compare(ours: Contender, bare: Contender): Promise<Comparison> {
  await ours(LIMITS.warmUpMs)
  await bare(LIMITS.warmUpMs)
  const rounds: { ours: number; bare: number }[] = []
  for (let round = 0; round < LIMITS.rounds; round++) {
    const speed = { ours: 0, bare: 0 }
    if (round % 2 === 0) speed.ours = await ours(LIMITS.roundMs)
    speed.bare = await bare(LIMITS.roundMs)
    if (round % 2 === 1) speed.ours = await ours(LIMITS.roundMs)
    rounds.push(speed)
  }
  const ratios = rounds.map((speed) => speed.ours / speed.bare)
  return {
    ratio: quantile(ratios, 0.5),
    spread: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
    ours: quantile(
      rounds.map((speed) => speed.ours),
      0.5,
    ),
    bare: quantile(
      rounds.map((speed) => speed.bare),
      0.5,
    ),
    rounds: LIMITS.rounds,
  }
}

function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const below = sorted[Math.floor(at)]!
  const above = sorted[Math.ceil(at)]!
  return below + (above - below) * (at - Math.floor(at))
}

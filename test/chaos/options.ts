import { parseArgs } from 'node:util'

export interface CampaignOptions {
  minutes: number
  seed: number
  /** Names of the faults to choose from; all of them if omitted. */
  faults?: string[]
  /** Where the logs of all processes are written. */
  logs?: string
}

export const USAGE = `npm run chaos -- [--minutes 10] [--seed <number>] [--faults <name>,<name>…] [--logs <folder>]

  --minutes  for how long faults are drawn, up to 1440
  --seed     what is drawn; printed, so that a run can be repeated
  --faults   draws from these alone; none draws nothing
  --logs     keeps what the processes log in this folder
`

const LIMITS = { minutesMax: 1_440, seedMax: 2 ** 31 - 1 }

/** An error message in place of options that cannot be parsed. */
export function readOptions(args: string[], anySeed: () => number): CampaignOptions | string {
  let values: Partial<Record<'minutes' | 'seed' | 'faults' | 'logs', string>>
  try {
    const option = { type: 'string' } as const
    values = parseArgs({
      args,
      options: { minutes: option, seed: option, faults: option, logs: option },
    }).values
  } catch (error) {
    return (error as Error).message
  }
  const minutes = Number(values.minutes ?? 10)
  if (!(minutes > 0 && minutes <= LIMITS.minutesMax)) return '--minutes must be a number of at most 1440.'
  const seed = values.seed === undefined ? anySeed() : Number(values.seed)
  if (!Number.isInteger(seed) || seed < 0 || seed > LIMITS.seedMax) return '--seed must be a whole number.'
  return {
    minutes,
    seed,
    ...(values.faults && { faults: values.faults.split(',') }),
    ...(values.logs && { logs: values.logs }),
  }
}

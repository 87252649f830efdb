/** Modes of long calls: what the audio of a bridged call costs, and how many of them keep their sound. */
import type { Exchange } from '../exchange.ts'
import { type LongCalls, openLongCalls } from '../long-calls.ts'
import { inTurn, type RunContext } from '../run-context.ts'

const SIZES = { bridged: [100], most: [300, 400, 480], recorded: [100] }
const MOST = { rounds: 2, turnMs: 4_000 }
/** Long enough that nobody is thought to be gone. */
const SIGN_OF_LIFE_MS = 100

export const bridged = (run: RunContext) => measure(run, 'bridged', run.sizes ?? SIZES.bridged)

export const most = (run: RunContext) => measure({ ...run, ...MOST }, 'most', run.sizes ?? SIZES.most)

export async function recorded(run: RunContext): Promise<void> {
  for (const exchange of run.exchanges) await exchange.record(true)
  await measure(run, 'recorded', run.sizes ?? SIZES.recorded)
  for (const exchange of run.exchanges) await exchange.record(false)
}

async function measure(run: RunContext, mode: string, sizes: number[]): Promise<void> {
  const { exchanges, rounds, turnMs, report } = run
  const calls = new Map<Exchange, LongCalls>()
  for (const exchange of exchanges) calls.set(exchange, await openLongCalls(exchange, Math.max(...sizes)))
  let running = 0
  for (const size of sizes) {
    for (const exchange of exchanges) {
      for (const other of exchanges)
        if (other !== exchange && running > 0) await calls.get(other)!.talk(running, SIGN_OF_LIFE_MS)
      await calls.get(exchange)!.growTo(size)
      await calls.get(exchange)!.talk(size, 1_000)
    }
    running = size
    for (let round = 0; round < rounds; round++) {
      for (const exchange of inTurn(round, exchanges)) {
        const talk = await calls.get(exchange)!.talk(size, turnMs)
        const memory = round === rounds - 1 ? { memory: exchange.memory() } : {}
        report({ mode, side: exchange.name, round, ...talk, ...memory })
      }
    }
  }
  for (const each of calls.values()) await each.close()
}

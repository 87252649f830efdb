import { type LongCalls, openLongCalls } from '../long-calls.ts'
/** Modes of long calls: what the audio of a bridged call costs, and how many of them keep their sound. */
import type { Pbx } from '../pbx.ts'
import { inTurn, type RunContext } from '../run-context.ts'

const SIZES = { bridged: [100], most: [300, 400, 480], recorded: [100] }
const MOST = { rounds: 2, turnMs: 4_000 }
/** Long enough that nobody is thought to be gone. */
const SIGN_OF_LIFE_MS = 100

export const bridged = (run: RunContext) => measure(run, 'bridged', run.sizes ?? SIZES.bridged)

export const most = (run: RunContext) => measure({ ...run, ...MOST }, 'most', run.sizes ?? SIZES.most)

export async function recorded(run: RunContext): Promise<void> {
  for (const pbx of run.pbxs) await pbx.record(true)
  await measure(run, 'recorded', run.sizes ?? SIZES.recorded)
  for (const pbx of run.pbxs) await pbx.record(false)
}

async function measure(run: RunContext, mode: string, sizes: number[]): Promise<void> {
  const { pbxs, rounds, turnMs, report } = run
  const calls = new Map<Pbx, LongCalls>()
  for (const pbx of pbxs) calls.set(pbx, await openLongCalls(pbx, Math.max(...sizes)))
  let running = 0
  for (const size of sizes) {
    for (const pbx of pbxs) {
      for (const other of pbxs)
        if (other !== pbx && running > 0) await calls.get(other)!.talk(running, SIGN_OF_LIFE_MS)
      await calls.get(pbx)!.growTo(size)
      await calls.get(pbx)!.talk(size, 1_000)
    }
    running = size
    for (let round = 0; round < rounds; round++) {
      for (const pbx of inTurn(round, pbxs)) {
        const talk = await calls.get(pbx)!.talk(size, turnMs)
        const memory = round === rounds - 1 ? { memory: pbx.memory() } : {}
        report({ mode, side: pbx.name, round, ...talk, ...memory })
      }
    }
  }
  for (const each of calls.values()) await each.close()
}

/**
 * Claim: one process bridges 200 calls at once, every packet arrives, and 99 of 100 of them within 20 ms, counted over
 * all rounds, with the load generator on the same two cores. The claim holds on a machine that does nothing else: a
 * process that needs half a core has to wait if other programs use both. Measured is the number of such calls that one
 * core could carry, by the CPU time of the process: at least 0.55 times as many as for a process that forwards datagrams
 * without reading them, one by one as they arrive.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

import { type Bench, compare, type Contender, TIMINGS } from '../measure.ts'
import { type Crowd, startCrowd } from './crowd.ts'

const CALLS = 200
const WARM_UP_ROUNDS = 1
const LIMITS = { delayMsMax: 20, delayShare: 0.99 }

export const bridgedCalls: Bench = {
  name: 'bridged-calls',
  async run() {
    const stops: (() => Promise<void>)[] = []
    const delaysMs = { ours: [] as number[][], bare: [] as number[][] }
    try {
      const ours = await contender('bridged-calls.media.js', stops, delaysMs.ours)
      const bare = await contender('bridged-calls.bare.js', stops, delaysMs.bare)
      const comparison = await compare(ours, bare, TIMINGS.calls)
      process.stdout.write(`${CALLS} calls, no packet lost; 99 of 100 packets within\n`)
      process.stdout.write(`Bellhop: ${describe(delaysMs.ours)}\nbare relay: ${describe(delaysMs.bare)}\n`)
      const p99 = slowest(delaysMs.ours.slice(WARM_UP_ROUNDS).flat())
      if (p99 >= LIMITS.delayMsMax) throw new Error(`${p99.toFixed(1)} ms are too slow`)
      return [
        {
          what: `G.711 calls a core can bridge (${CALLS} at once, none lost, p99 below ${LIMITS.delayMsMax} ms)`,
          sides: ['Bellhop:', 'bare relay:'],
          goal: 0.55,
          ...comparison,
        },
      ]
    } finally {
      for (const stop of stops) await stop()
    }
  },
}

async function contender(
  file: string,
  stops: (() => Promise<void>)[],
  rounds: number[][],
): Promise<Contender> {
  const crowd = await startCrowd(CALLS)
  const child = spawn(process.execPath, [join(import.meta.dirname, file), JSON.stringify(crowd.ports)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  stops.push(async () => {
    crowd.close()
    if (child.exitCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
  crowd.connect((await ask(child, 'ports')) as number[])
  return (ms) => talk(crowd, child, rounds, ms)
}

async function talk(crowd: Crowd, child: ChildProcess, rounds: number[][], ms: number): Promise<number> {
  const before = (await ask(child, 'cpu')) as number
  const start = performance.now()
  const { sent, delaysMs } = await crowd.talk(ms)
  const elapsedMs = performance.now() - start
  const cpuMs = ((await ask(child, 'cpu')) as number) - before
  if (delaysMs.length !== sent) throw new Error(`${sent - delaysMs.length} of ${sent} packets were lost`)
  rounds.push(delaysMs)
  return (CALLS * elapsedMs) / cpuMs
}

async function ask(child: ChildProcess, question: string): Promise<unknown> {
  const answer = once(child, 'message')
  child.send(question)
  return (await answer)[0]
}

const slowest = (delaysMs: number[]) => quantile(delaysMs, LIMITS.delayShare)

function describe(turns: number[][]): string {
  const rounds = turns.slice(WARM_UP_ROUNDS)
  const perRound = rounds.map(slowest)
  const figures = [slowest(rounds.flat()), quantile(perRound, 0.5), Math.max(...perRound)]
  const [all, middle, worst] = figures.map((ms) => ms.toFixed(1))
  return `${all} ms in all, ${middle} ms in the middle round, ${worst} ms in the worst`
}

function quantile(values: number[], share: number): number {
  return Float64Array.from(values).toSorted()[Math.floor((values.length - 1) * share)]!
}

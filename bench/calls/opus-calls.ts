/**
 * Claim: a leg with Opus that talks to a carrier costs less than 1 % of a core more than one with G.711. Measured is the
 * CPU time of a process with 20 calls between Opus, as a browser sends it if we ask for telephone audio, and G.711,
 * beside one that bridges G.711 with G.711. All send synthesised vowels with some noise, because silence costs an
 * encoder little. A phone that sends the full bandwidth all the same is measured too, without a goal.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

import { type Bench, compare, type Comparison, type Contender, TIMINGS } from '../measure.ts'
import { startTalkers, type Talkers, type TalkersKind } from './talkers.ts'

const CALLS = 20
/** A process that does not get the CPU skips frames, and would seem cheap. */
const HEARD_SHARE_MIN = 0.95
const PERCENT_MAX = 1

export const opusCalls: Bench = {
  name: 'opus-calls',
  async run() {
    const stops: (() => Promise<void>)[] = []
    try {
      const opus = await contender('opus', stops)
      const g711 = await contender('g711', stops)
      const comparison = await compare(opus, g711, TIMINGS.calls)
      const percent = percentOf(comparison)
      const full = await compare(await contender('opus_full_band', stops), g711, TIMINGS.calls)
      process.stdout.write(
        `a leg with Opus costs ${percent.toFixed(2)} % of a core more than one with G.711, ` +
          `and ${percentOf(full).toFixed(2)} % if it sends the full bandwidth\n`,
      )
      return [
        {
          what: 'calls between Opus and G.711 that a core can carry, beside calls with G.711 alone',
          sides: ['with Opus:', 'G.711 alone:'],
          goal: 0.15,
          ...comparison,
        },
        {
          what: 'legs with Opus that a core can carry beside their calls, 100 if each costs 1 %',
          sides: ['measured:', 'at least:'],
          goal: 1,
          ratio: PERCENT_MAX / percent,
          spread: [PERCENT_MAX / percent, PERCENT_MAX / percent],
          first: 100 / percent,
          second: 100 / PERCENT_MAX,
          rounds: comparison.rounds,
        },
      ]
    } finally {
      for (const stop of stops) await stop()
    }
  },
}

/** Of a core, for the leg with Opus. */
const percentOf = ({ first, second }: Comparison): number => 100 / first - 100 / second

async function contender(kind: TalkersKind, stops: (() => Promise<void>)[]): Promise<Contender> {
  const talkers = await startTalkers(CALLS, kind)
  const program = join(import.meta.dirname, 'bridged-calls.media.js')
  const child = spawn(process.execPath, [program, JSON.stringify(talkers.ports), kind], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  stops.push(async () => {
    talkers.close()
    if (child.exitCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
  talkers.connect((await ask(child, 'ports')) as number[])
  const turns: { sent: number; heard: number }[] = []
  stops.push(async () => expectHeard(turns.slice(1)))
  return (ms) => talk(talkers, child, ms, turns)
}

/** Calls that a core could carry. */
async function talk(
  talkers: Talkers,
  child: ChildProcess,
  ms: number,
  turns: { sent: number; heard: number }[],
): Promise<number> {
  const before = (await ask(child, 'cpu')) as number
  const start = performance.now()
  turns.push(await talkers.talk(ms))
  const elapsedMs = performance.now() - start
  const cpuMs = ((await ask(child, 'cpu')) as number) - before
  return (CALLS * elapsedMs) / cpuMs
}

function expectHeard(turns: { sent: number; heard: number }[]): void {
  const sum = (of: 'sent' | 'heard') => turns.reduce((total, turn) => total + turn[of], 0)
  if (sum('heard') < sum('sent') * HEARD_SHARE_MIN)
    throw new Error(`only ${sum('heard')} of ${sum('sent')} packets were heard`)
}

async function ask(child: ChildProcess, question: string): Promise<unknown> {
  const answer = once(child, 'message')
  child.send(question)
  return (await answer)[0]
}

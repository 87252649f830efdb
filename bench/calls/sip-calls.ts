/**
 * Aim: one process sets up and ends at least 100 calls a second (INVITE, 180, 200, ACK, BYE, 200 over UDP), while SIPp,
 * which makes the calls, runs on the same machine. The ratio compares with a responder that answers each datagram by
 * replacing its first line and keeps no state. Its goal is a floor rather than a claim, set below the first measurement
 * (0.28 on a busy machine, interquartile range 0.23-0.43), so that a loss of speed is noticed.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import { packageRoot } from '../../server/platform/package-root.ts'
import { type Bench, compare, type Contender, TIMINGS } from '../measure.ts'

const SCENARIO = join(packageRoot, 'test/sip/sipp/caller-plain.xml')
/**
 * A round has few enough calls that all rounds together stay below the maximum number of transactions: over UDP each of
 * them is kept for 32 s.
 */
const LIMITS = { callsPerSecond: 5_000, callsAtOnce: 40, callsPerTurn: 250, sippMs: 60_000 }

export const sipCalls: Bench = {
  name: 'sip-calls',
  async run() {
    const children: ChildProcess[] = []
    try {
      const ours = await start('sip-calls.ours.js', children)
      const bare = await start('sip-calls.bare.js', children)
      const comparison = await compare(callsTo(ours), callsTo(bare), TIMINGS.calls)
      const what = 'calls set up and taken down, calls/s'
      return [{ what, sides: ['Bellhop:', 'bare responder:'], goal: 0.2, ...comparison }]
    } finally {
      for (const child of children) child.kill('SIGTERM')
    }
  },
}

async function start(file: string, children: ChildProcess[]): Promise<number> {
  const child = spawn(process.execPath, [join(import.meta.dirname, file)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  for await (const line of createInterface({ input: child.stdout })) return Number(line)
  throw new Error(`${file} ended before it was ready`)
}

/** Makes calls as fast as they are accepted, with this many at once; a round is shorter than it could be. */
function callsTo(port: number): Contender {
  const to = [`127.0.0.1:${port}`, '-sf', SCENARIO, '-i', '127.0.0.1', '-nostdin']
  const speed = ['-r', String(LIMITS.callsPerSecond), '-l', String(LIMITS.callsAtOnce)]
  const end = ['-m', String(LIMITS.callsPerTurn), '-timeout', `${LIMITS.sippMs / 1_000}s`, '-timeout_error']
  return async () => {
    const sipp = spawn('sipp', [...to, ...speed, ...end], { stdio: ['ignore', 'pipe', 'ignore'] })
    let screen = ''
    sipp.stdout.on('data', (chunk) => (screen += String(chunk)))
    const [code] = (await once(sipp, 'close')) as [number]
    if (code !== 0) throw new Error(`SIPp ended with ${code}: not all calls came about`)
    // SIPp's own figure, without the time it takes to start.
    return Number([...screen.matchAll(/Call Rate .*\| +([\d.]+) cps/g)].at(-1)![1])
  }
}

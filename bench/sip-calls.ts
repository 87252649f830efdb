/**
 * Claim: one process sets up and takes down at least 100 calls a second (INVITE, 180, 200, ACK, BYE, 200 over UDP),
 * while SIPp, which makes the calls, runs on the same machine. Compared with a bare responder, which answers SIPp's
 * datagrams by replacing their first line and keeps no state at all, an exchange reaches at least 0.3 of its speed.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import { packageRoot } from '../server/platform/package-root.ts'
import { type Bench, type Contender, compare } from './measure.ts'

const SCENARIO = join(packageRoot, 'test/sip/sipp/caller-plain.xml')
const LIMITS = { callsPerSecond: 2_000, callsAtOnce: 40, sippMs: 60_000 }

export const sipCalls: Bench = {
  name: 'sip-calls',
  what: 'calls set up and taken down, calls/s',
  goal: 0.3,
  async run() {
    const children: ChildProcess[] = []
    try {
      const ours = await start('sip-calls.ours.js', children)
      const bare = await start('sip-calls.bare.js', children)
      return await compare(callsTo(ours), callsTo(bare))
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

/** Makes calls as fast as they come about, with so many at once, for about `ms`. */
function callsTo(port: number): Contender {
  let perMs = 0.5
  return async (ms) => {
    const calls = Math.max(50, Math.round(ms * perMs))
    const start = performance.now()
    const to = [`127.0.0.1:${port}`, '-sf', SCENARIO, '-i', '127.0.0.1', '-nostdin', '-m', String(calls)]
    const speed = ['-r', String(LIMITS.callsPerSecond), '-l', String(LIMITS.callsAtOnce)]
    const patience = ['-timeout', `${LIMITS.sippMs / 1_000}s`, '-timeout_error']
    const sipp = spawn('sipp', [...to, ...speed, ...patience], { stdio: 'ignore' })
    const [code] = (await once(sipp, 'close')) as [number]
    if (code !== 0) throw new Error(`SIPp ended with ${code}: not all calls came about`)
    perMs = calls / (performance.now() - start)
    return perMs * 1_000
  }
}

/** Starts `rtp-load.c`, which sends and receives the audio of many calls. */
import { execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import { packageRoot } from '../../server/platform/package-root.ts'

/** What was heard of one talk. */
export interface Heard {
  sent: number
  received: number
  foreign: number
  failed: number
  /** Packets that this program sent more than 5 ms late, because it had to wait for the CPU. */
  sentLate: number
  generatorCpuMs: number
  p50Ms: number
  p99Ms: number
  maxMs: number
}

export async function startRtpLoad(calls: number) {
  const program = join(import.meta.dirname, 'rtp-load')
  execFileSync('cc', ['-O2', '-o', program, join(packageRoot, 'bench/asterisk/rtp-load.c')], {
    stdio: 'inherit',
  })
  const child = spawn(program, [String(calls)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const answer = async (): Promise<unknown> => {
    const { value, done } = await answers.next()
    if (done) throw new Error('the RTP load ended')
    return JSON.parse(value)
  }
  const ask = (command: string) => {
    child.stdin.write(`${command}\n`)
    return answer()
  }
  const { ports } = (await answer()) as { ports: number[] }
  return {
    /** Where each party receives: parties 2n and 2n+1 talk to each other. */
    ports,
    /** Where each party sends to; nobody listens at port 9. */
    connect: (to: number[]) => ask(`dest ${ports.map((_, party) => to[party] ?? 9).join(' ')}`),
    talk: async (count: number, ms: number) => (await ask(`talk ${count} ${ms}`)) as Heard,
    close: () => child.stdin.end(),
  }
}

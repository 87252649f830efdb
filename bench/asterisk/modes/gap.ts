/** The longest gap in a running call while a carrier begins 200 calls a second. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

import type { BurstOutcome, CarrierOptions } from '../../calls/burst.carrier.ts'
import type { Gaps } from '../../calls/burst.meter.ts'
import { ask, talk } from '../../calls/burst.ts'
import type { Pbx } from '../pbx.ts'
import type { RunContext } from '../run-context.ts'

const BURST = { calls: 600, perSecond: 200 }
const ROUNDS_MAX = 3

export async function gap({ pbxs, rounds, report }: RunContext): Promise<void> {
  for (const pbx of pbxs) {
    const children: ChildProcess[] = []
    try {
      const burst = await openBurst(pbx, children)
      for (let round = 0; round < Math.min(rounds, ROUNDS_MAX); round++)
        report({ mode: 'gap', side: pbx.name, round, ...(await burst.measure()) })
      burst.hangUp()
    } finally {
      for (const child of children) child.kill('SIGTERM')
    }
  }
}

async function openBurst(pbx: Pbx, children: ChildProcess[]) {
  const start = (file: string, options: unknown) => {
    const program = join(import.meta.dirname, '../../calls', file)
    const child = spawn(process.execPath, [program, JSON.stringify(options)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    children.push(child)
    return child
  }
  const meter = start('burst.meter.js', {})
  const hangUp = await talk(pbx, meter, start)
  const options: CarrierOptions = { sipPort: pbx.sipPort, numbers: pbx.numbers.slice(0, 40) }
  const carrier = start('burst.carrier.js', options)
  await once(carrier, 'message')
  return {
    hangUp,
    async measure() {
      await ask(meter, 'gaps')
      const { answered, answeredMs } = (await ask(carrier, BURST)) as BurstOutcome
      const { gapMs, lost } = (await ask(meter, 'gaps')) as Gaps
      const seconds = Math.round(answeredMs / 100) / 10
      return { gapMs: gapMs[0], lost: lost[0], relayGapMs: gapMs[1], answered, seconds }
    },
  }
}

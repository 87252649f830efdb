/** A carrier in a process of its own, which calls many numbers at once and hangs up a moment after each answer. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'

import { CARRIER_HOST, dialFrom, lineTo, openAgent, TRUNK } from './phone-system.ts'

/** How long a caller listens to the greeting. */
const LISTEN_MS = 2_000

export interface CarrierOptions {
  sipPort: number
  /** From the second on: the first has the call that is measured. */
  numbers: string[]
}

export interface Burst {
  calls: number
  perSecond: number
}

export interface BurstOutcome {
  answered: number
  /** By SIP status or other reason. */
  refused: Record<string, number>
  /** From the first INVITE to the last answer. */
  answeredMs: number
  /** Packets of greetings. */
  heard: number
}

const { sipPort, numbers } = JSON.parse(process.argv[2]!) as CarrierOptions
const { agent } = await openAgent(CARRIER_HOST, [lineTo(TRUNK, sipPort)], (call) => call.reject(404))
const ear = createSocket('udp4').bind(0, '127.0.0.1')
await once(ear, 'listening')
let heard = 0
ear.on('message', () => heard++)

async function send({ calls, perSecond }: Burst): Promise<BurstOutcome> {
  const start = performance.now()
  const outcome: BurstOutcome = { answered: 0, refused: {}, answeredMs: 0, heard: 0 }
  heard = 0
  let open = calls
  let dialled = 0
  await new Promise<void>((resolve) => {
    function dial(): void {
      const line = 1 + (dialled++ % (numbers.length - 1))
      const call = dialFrom(agent, line, { number: numbers[line]!, port: ear.address().port })
      let isAnswered = false
      call.listen((event) => {
        if (event.type === 'answered') {
          isAnswered = true
          outcome.answered++
          outcome.answeredMs = performance.now() - start
          setTimeout(() => call.hangUp(), LISTEN_MS)
        }
        if (event.type !== 'ended') return
        const { ending } = event
        const why = 'status' in ending ? String(ending.status) : ending.why
        if (!isAnswered) outcome.refused[why] = (outcome.refused[why] ?? 0) + 1
        if (--open === 0) resolve()
      })
    }
    const timer = setInterval(() => {
      const due = Math.min(calls, ((performance.now() - start) / 1_000) * perSecond)
      while (dialled < due) dial()
      if (dialled === calls) clearInterval(timer)
    }, 1)
  })
  return { ...outcome, heard }
}

process.on('message', (burst: Burst) => {
  void send(burst).then((outcome) => process.send!(outcome))
})
process.on('SIGTERM', () => process.exit())
process.send!('ready')

/**
 * Aim: this many calls of the whole service, with PostgreSQL and the load generator on the same two cores, get the
 * greeting, are queued, answered, bridged and recorded at once, and no packet is lost. The ratio compares the CPU time
 * of the service with that of the media plane alone, which only bridges. The goal is a floor rather than a claim, set
 * below the first measurement, so that a loss of speed is noticed.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

import { withFixture } from '../fixture.ts'
import { type Bench, compare, type Contender } from '../measure.ts'
import { type Crowd, startCrowd } from './crowd.ts'
import { openPhoneSystem, portOf, type PhoneSystem } from './phone-system.ts'

const CALLS = { recorded: 50 }
const TALK_PACE = { warmUpMs: 2_000, roundMs: 2_000, rounds: 5 }

type Close = () => Promise<void> | void

export const liveCalls: Bench = {
  name: 'live-calls',
  run: () =>
    withFixture(async (fixture) => {
      const children: ChildProcess[] = []
      const closes: Close[] = []
      try {
        const system = await openPhoneSystem(fixture, { lines: CALLS.recorded, recorded: true })
        closes.push(() => system.close())
        const recorded = await recordedCalls(system, closes)
        const relayed = await relayedCalls(children, closes)
        const cpu = await compare(recorded, relayed, TALK_PACE)
        return [
          {
            what: `calls a core can bridge and record (${CALLS.recorded} at once, none lost)`,
            sides: ['Bellhop:', 'bridging alone:'],
            goal: 0.3,
            ...cpu,
          },
        ]
      } finally {
        for (const close of closes) await close()
        for (const child of children) child.kill('SIGTERM')
      }
    }),
}

/** All calls are active at once during the whole bench, and each packet must arrive. */
async function recordedCalls(system: PhoneSystem, closes: Close[]): Promise<Contender> {
  const crowd = await startCrowd(CALLS.recorded)
  closes.push(() => crowd.close())
  const ports: number[] = []
  const taken: Promise<void>[] = []
  const tell: (() => void)[] = []
  const calls: { hangUp(): void }[] = []
  // First, because the service does not stop while it has calls.
  closes.unshift(() => calls.forEach((call) => call.hangUp()))
  for (let line = 0; line < CALLS.recorded; line++) taken.push(new Promise((resolve) => tell.push(resolve)))
  system.onTaken((line, call) => {
    ports[line * 2 + 1] = portOf(call.body!)
    calls.push(call)
    call.listen((event) => void (event.type === 'connected' && tell[line]!()))
    return crowd.ports[line * 2 + 1]!
  })
  for (let line = 0; line < CALLS.recorded; line++) {
    const call = system.dial(line, crowd.ports[line * 2]!)
    calls.push(call)
    call.listen((event) => {
      if (event.type === 'answered') ports[line * 2] = portOf(event.body!)
    })
  }
  await Promise.all(taken)
  crowd.connect(ports)
  return (ms) => talk(crowd, () => system.cpuMs(), ms)
}

async function relayedCalls(children: ChildProcess[], closes: Close[]): Promise<Contender> {
  const crowd = await startCrowd(CALLS.recorded)
  closes.push(() => crowd.close())
  const file = join(import.meta.dirname, 'bridged-calls.media.js')
  const child = spawn(process.execPath, [file, JSON.stringify(crowd.ports)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  children.push(child)
  const ask = async (question: string): Promise<unknown> => {
    const answer = once(child, 'message')
    child.send(question)
    return (await answer)[0]
  }
  crowd.connect((await ask('ports')) as number[])
  return (ms) => talk(crowd, async () => (await ask('cpu')) as number, ms)
}

/** How many such calls a core could carry. */
async function talk(crowd: Crowd, cpuMs: () => Promise<number>, ms: number): Promise<number> {
  const before = await cpuMs()
  const start = performance.now()
  const { sent, delaysMs } = await crowd.talk(ms)
  const elapsedMs = performance.now() - start
  if (delaysMs.length < sent) throw new Error(`${sent - delaysMs.length} of ${sent} packets were lost`)
  return (CALLS.recorded * elapsedMs) / ((await cpuMs()) - before)
}

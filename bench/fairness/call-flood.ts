import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { connectParties, environmentFor, freePort, setUpLines, untilReady } from '../calls/phone-system.ts'
import type { Fixture } from '../fixture.ts'
import type { Finding } from '../measure.ts'
import { besideFlood, type Neighbour } from './beside-flood.ts'
import type { CallFlood } from './call-flood.child.ts'

const TIMING = { warmUpMs: 6_000, turnMs: 10_000, settleMs: 500, burstMs: 4_000, rounds: 8 }
const LINES = 40
/** More than an edge on two cores can answer while phones, callers and PostgreSQL use them too. */
const PER_SECOND = 100
/** Two calls a second, which few companies have. Beside a company with more, one that floods the edge may have more. */
const PAUSE_MS = 450
/** A caller hangs up after so long. Such a call, and one that is refused, counts as one that took so long. */
const TAKEN_MS_MAX = 10_000

/**
 * Measures the calls of the neighbour, one after the other: from INVITE to 200, and from there until the phone of its
 * employee rings. There is no greeting between.
 */
export async function besideCalls(fixture: Fixture): Promise<Finding[]> {
  const sipPort = await freePort()
  const url = await fixture.startBellhop(environmentFor(sipPort))
  const noisy = await setUpLines(fixture, url, { lines: LINES, recorded: false })
  const own = await setUpLines(fixture, url, { lines: 1, recorded: false, first: LINES, welcome: null })
  const options: CallFlood = { sipPort, perSecond: PER_SECOND, ...noisy }
  const flood = fork(join(import.meta.dirname, 'call-flood.child.js'), [JSON.stringify(options)])
  await once(flood, 'message')
  const system = await connectParties({ sipPort, ...own })
  try {
    await untilReady(fixture, LINES + 1)
    return await besideFlood(fixture, {
      what: `${PER_SECOND} calls a second`,
      neighbour: calling(system),
      flood,
      timing: TIMING,
    })
  } finally {
    await system.close()
  }
}

function calling(system: Awaited<ReturnType<typeof connectParties>>): Neighbour {
  let rings: (() => void) | undefined
  system.onTaken(() => {
    rings?.()
    return NOWHERE
  })
  /** Resolves when the employee has answered and the caller has hung up. */
  const call = () =>
    new Promise<{ answerMs: number; ringMs: number } | 'not_taken'>((resolve) => {
      const start = performance.now()
      let [answeredAt, rungAt] = [0, 0]
      const customer = system.dial(0, NOWHERE)
      const timeout = setTimeout(() => customer.hangUp(), TAKEN_MS_MAX)
      const hangUp = () => {
        if (answeredAt > 0 && rungAt > 0) customer.hangUp()
      }
      rings = () => {
        rungAt = performance.now()
        hangUp()
      }
      customer.listen((event) => {
        if (event.type === 'answered') {
          answeredAt = performance.now()
          hangUp()
        }
        if (event.type !== 'ended') return
        clearTimeout(timeout)
        if (rungAt > 0) resolve({ answerMs: answeredAt - start, ringMs: rungAt - answeredAt })
        else resolve('not_taken')
      })
    })
  return async (ms) => {
    const turn = { 'INVITE to 200': [] as number[], '200 to ringing': [] as number[] }
    let notTaken = 0
    const start = performance.now()
    while (performance.now() - start < ms) {
      const took = await call()
      if (took === 'not_taken') notTaken++
      turn['INVITE to 200'].push(took === 'not_taken' ? TAKEN_MS_MAX : took.answerMs)
      turn['200 to ringing'].push(took === 'not_taken' ? TAKEN_MS_MAX : took.ringMs)
      await pause(PAUSE_MS)
    }
    if (notTaken > 0) process.stdout.write(`${notTaken} calls of the neighbour were not taken\n`)
    return turn
  }
}

/** Nobody listens to the sound. */
const NOWHERE = 9

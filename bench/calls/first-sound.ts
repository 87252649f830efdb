/**
 * Aim: a caller is answered at once, and hears the greeting at once. Measured are the time from the INVITE to its 200,
 * and from there to the first packet of sound, one call after the other, as medians of a round. The reference is the
 * same with the SIP and media libraries alone, which play a tone: no number is looked up, no call is stored and no
 * greeting read. The goals are floors rather than claims, set below the first measurement, so that a loss is noticed.
 */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'

import type { OutgoingCall } from '../../server/sip/index.ts'
import { withFixture } from '../fixture.ts'
import { type Bench, compare, type Contender } from '../measure.ts'
import { openBareTarget } from './inbound.ts'
import { openPhoneSystem } from './phone-system.ts'

const TIMING = { warmUpMs: 1, roundMs: 1, rounds: 10 }
const CALLS_OF_ROUND = 11
const LINES = 1
const LIMITS = { callMs: 30_000 }

interface Delays {
  answerMs: number
  soundMs: number
}

type Call = () => Promise<Delays>

export const firstSound: Bench = {
  name: 'first-sound',
  run: () =>
    withFixture(async (fixture) => {
      const closes: (() => Promise<void> | void)[] = []
      try {
        const system = await openPhoneSystem(fixture, { lines: LINES, recorded: false })
        closes.push(() => system.close())
        const bare = await openBareTarget(closes, ['tone'])
        const [ours, other] = [await caller(system, closes), await caller(bare, closes)]
        const sides: [string, string] = ['Bellhop:', 'libraries alone:']
        const row = async (what: string, of: (delays: Delays) => number, goal: number) => ({
          what,
          sides,
          goal,
          ...(await compare(soonness(ours, of), soonness(other, of), TIMING)),
        })
        return [
          await row('200s that fit into a second, each after its INVITE', ({ answerMs }) => answerMs, 0.22),
          await row('first sounds that fit into a second, each after its 200', ({ soundMs }) => soundMs, 0.3),
        ]
      } finally {
        for (const close of closes.toReversed()) await close()
      }
    }),
}

/** How many of the median delay fit into a second. */
const soonness =
  (call: Call, of: (delays: Delays) => number): Contender =>
  async () => {
    const delays: number[] = []
    for (let i = 0; i < CALLS_OF_ROUND; i++) delays.push(of(await call()))
    return 1_000 / delays.toSorted((a, b) => a - b)[Math.floor(delays.length / 2)]!
  }

/** Makes a call, and hangs up at the first sound. */
async function caller(
  target: { dial(line: number, port: number): OutgoingCall },
  closes: (() => void)[],
): Promise<Call> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  closes.push(() => void socket.close())
  return async () => {
    const heard = once(socket, 'message', { signal: AbortSignal.timeout(LIMITS.callMs) })
    const start = performance.now()
    const call = target.dial(0, socket.address().port)
    let answered = start
    const ended = new Promise<void>((resolve) => {
      call.listen((event) => {
        if (event.type === 'answered') answered = performance.now()
        if (event.type === 'ended') resolve()
      })
    })
    await heard
    const delays = { answerMs: answered - start, soundMs: performance.now() - answered }
    call.hangUp()
    await ended
    return delays
  }
}

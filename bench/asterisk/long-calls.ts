/** Calls that stay, and what their audio costs the PBX. */
import { setTimeout as pause } from 'node:timers/promises'

import { portOf, sdpAt } from '../calls/phone-system.ts'
import type { Pbx } from './pbx.ts'
import { machineCpuMs } from './processes.ts'
import { startRtpLoad } from './rtp-load.ts'
import { round } from './short-calls.ts'

/** Between two calls that begin. */
const PACE_MS = 60
const LIMITS = { takenMs: 60_000 }

export type LongCalls = Awaited<ReturnType<typeof openLongCalls>>

export async function openLongCalls(pbx: Pbx, most: number) {
  const load = await startRtpLoad(most)
  const ports: number[] = []
  const calls: { hangUp(): void }[] = []
  const over: Promise<void>[] = []
  const taken: (() => void)[] = []
  let endedEarly = 0

  const listenAtPhones = () =>
    pbx.onTaken((line, call) => {
      const port = load.ports[line * 2 + 1]!
      ports[line * 2 + 1] = portOf(call.body!)
      call.listen((event) => {
        if (event.type === 'connected') taken[line]?.()
        if (event.type === 'offer') event.offer.accept(sdpAt(port))
      })
      return port
    })

  function begin(line: number): Promise<void> {
    const isTaken = new Promise<void>((resolve) => (taken[line] = resolve))
    const call = pbx.dial(line, load.ports[line * 2]!)
    calls.push(call)
    const ends = new Promise<void>((resolve) => {
      call.listen((event) => {
        if (event.type === 'answered') ports[line * 2] = portOf(event.body!)
        if (event.type === 'offer') event.offer.accept(sdpAt(load.ports[line * 2]!))
        if (event.type !== 'ended') return
        endedEarly++
        resolve()
      })
    })
    over.push(ends)
    return isTaken
  }

  return {
    async growTo(count: number) {
      listenAtPhones()
      const all: Promise<void>[] = []
      while (calls.length < count) {
        all.push(begin(calls.length))
        await pause(PACE_MS)
      }
      const timeout = setTimeout(() => {
        throw new Error(`${pbx.name}: some of ${count} calls were not taken; ${endedEarly} ended`)
      }, LIMITS.takenMs)
      await Promise.all(all)
      clearTimeout(timeout)
      await pause(300)
      await load.connect(ports)
    },
    async talk(count: number, ms: number) {
      const before = pbx.cpuMs()
      const machineBefore = machineCpuMs()
      const start = performance.now()
      const heard = await load.talk(count, ms)
      const elapsedMs = performance.now() - start
      const after = pbx.cpuMs()
      const own = after.own - before.own
      return {
        calls: count,
        cores: round(own / elapsedMs),
        /** The share of a core that one call takes. */
        corePercentPerCall: Math.round((own / elapsedMs / count) * 1e6) / 1e4,
        postgresCores: round((after.postgres - before.postgres) / elapsedMs),
        otherCores: round((machineCpuMs() - machineBefore - own - heard.generatorCpuMs) / elapsedMs),
        lost: heard.sent - heard.received,
        endedEarly,
        ...heard,
      }
    },
    async close() {
      for (const call of calls) {
        call.hangUp()
        await pause(5)
      }
      await Promise.all(over)
      load.close()
    },
  }
}

/** How long the steps of a call take while the PBX has little to do: three calls begin in a second. */
import { setTimeout as pause } from 'node:timers/promises'

import { inTurn, type RunContext } from '../run-context.ts'
import { type CallTimes, openShortCalls } from '../short-calls.ts'

const LINES = 12
const EACH_MS = 330
const CALLS = 12
/** The phone sends this often, so that the end of the call is seen early. */
const FRAME_MS = 5

export async function delay({ pbxs, rounds, report }: RunContext): Promise<void> {
  for (let round = -1; round < rounds; round++) {
    for (const pbx of inTurn(round + 2, pbxs)) {
      const short = await openShortCalls(
        pbx,
        Array.from({ length: LINES }, (_, line) => line),
        FRAME_MS,
      )
      const calls: Promise<CallTimes>[] = []
      for (let i = 0; i < CALLS; i++) {
        calls.push(short.call(i % LINES))
        await pause(EACH_MS)
      }
      const times = await Promise.all(calls)
      short.close()
      report({ mode: 'delay', side: pbx.name, ...(round >= 0 && { round }), ...describe(times) })
    }
  }
}

function describe(times: CallTimes[]) {
  const between = (from: keyof CallTimes, to: keyof CallTimes) => {
    const sorted = times.map((each) => each[to]! - each[from]!).toSorted((a, b) => a - b)
    const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)]! * 10) / 10
    return { p50: at(0.5), max: at(1) }
  }
  return {
    inviteToAnswerMs: between('invite', 'answered'),
    answerToSoundMs: between('answered', 'firstSound'),
    inviteToPhoneMs: between('invite', 'phoneRang'),
    phoneToHeardMs: between('phoneRang', 'heard'),
  }
}

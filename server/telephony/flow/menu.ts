import { TELEPHONY_LIMITS } from '../limits.ts'
import { type FlowCall, requireCaller } from './flow-call.ts'
import { say } from './say.ts'

/** The digit pressed during the prompt of a menu, or soon after it. */
export async function askForDigit(call: FlowCall, text: string): Promise<string | undefined> {
  const { sounds, edge } = call.parts
  const collecting = await sounds.collect(call.customer.sound, {
    count: 1,
    firstDigitMs: A_LONG_TIME_MS,
    nextDigitMs: A_LONG_TIME_MS,
  })
  const why = await say(call, text, { untilDigit: true })
  const stopTimer =
    why === 'digit' ? () => {} : edge.clock.after(TELEPHONY_LIMITS.menuPatienceMs, () => collecting.stop())
  const { digits } = await collecting.ended
  stopTimer()
  requireCaller(call)
  return digits === '' ? undefined : digits
}

/** Longer than any menu: the call's own clock ends the wait. */
const A_LONG_TIME_MS = 60 * 60_000

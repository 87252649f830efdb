import type { PlayEnd, PlayOptions } from '../../media/port.ts'
import { readPrompt } from '../../modules/numbers/index.ts'
import { pauseBy } from '../../platform/clock.ts'
import { TELEPHONY_LIMITS } from '../limits.ts'
import { type FlowCall, requireCaller } from './flow-call.ts'

/** Plays a prompt. Waits a while for one that is still being synthesised, and skips one that is not ready then. */
export async function say(call: FlowCall, text: string, options?: PlayOptions): Promise<PlayEnd> {
  const wav = await soundOf(call, text)
  if (!wav) return 'finished'
  requireCaller(call)
  const why = await call.parts.sounds.play(call.customer.sound, { wav }, options)
  requireCaller(call)
  return why
}

async function soundOf(call: FlowCall, text: string): Promise<Buffer | undefined> {
  const { edge } = call.parts
  for (
    let waitedMs = 0;
    waitedMs < TELEPHONY_LIMITS.promptWaitMs;
    waitedMs += TELEPHONY_LIMITS.promptLookMs
  ) {
    // A database or a storage that is away is asked again, until the time is over.
    const wav = await readPrompt(edge.db.sql, edge.storage, call.number, text).catch(() => undefined)
    if (wav) return wav
    requireCaller(call)
    await pauseBy(edge.realTime)(TELEPHONY_LIMITS.promptLookMs)
  }
  edge.log.warn({ number: call.number.id }, 'a prompt was skipped because it has not been synthesised yet')
  return undefined
}

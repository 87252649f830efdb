import type { PlayEnd, PlayOptions } from '../../media/port.ts'
import { readPrompt } from '../../modules/numbers/index.ts'
import { pauseBy } from '../../platform/clock.ts'
import { TELEPHONY_LIMITS } from '../limits.ts'
import { type FlowCall, requireCaller } from './flow-call.ts'

/** Plays a prompt, or what stands in for one that is still being synthesised. */
export async function say(call: FlowCall, text: string, options?: PlayOptions): Promise<PlayEnd> {
  const wav = (await readSound(call, text)) ?? (await waitForSound(call, text))
  if (!wav) return 'finished'
  requireCaller(call)
  const why = await call.parts.sounds.play(call.customer.sound, { wav }, options)
  requireCaller(call)
  return why
}

/** A database or a storage that is unavailable is asked again. */
function readSound({ parts: { edge }, number }: FlowCall, text: string): Promise<Buffer | undefined> {
  return readPrompt(edge.db.sql, edge.storage, number, text).catch(() => undefined)
}

/** The caller hears ringback meanwhile: silence would sound like a dead line. */
async function waitForSound(call: FlowCall, text: string): Promise<Buffer | undefined> {
  const { edge, sounds } = call.parts
  requireCaller(call)
  const stopRingback = await sounds.loop(call.customer.sound, { tone: 'ringback' })
  try {
    for (
      let waitedMs = 0;
      waitedMs < TELEPHONY_LIMITS.promptWaitMs;
      waitedMs += TELEPHONY_LIMITS.promptLookMs
    ) {
      await pauseBy(edge.realTime)(TELEPHONY_LIMITS.promptLookMs)
      requireCaller(call)
      const wav = await readSound(call, text)
      if (wav) return wav
    }
  } finally {
    stopRingback()
  }
  edge.log.warn({ number: call.number.id }, 'a prompt was skipped because it has not been synthesised yet')
  return undefined
}

import type { PlayEnd, PlayOptions } from '../../media/port.ts'
import { readPrompt, speakStandIn } from '../../modules/numbers/index.ts'
import { inBackground } from '../../platform/background.ts'
import { pauseBy } from '../../platform/clock.ts'
import { TELEPHONY_LIMITS } from '../limits.ts'
import { type FlowCall, requireCaller } from './flow-call.ts'

/** Plays a prompt, or what stands in for one that is still being synthesised. */
export async function say(call: FlowCall, text: string, options?: PlayOptions): Promise<PlayEnd> {
  const sound = await readSound(call, text)
  const wav = sound.is === 'ready' ? sound.wav : await waitForSound(call, text)
  if (!wav) return 'finished'
  requireCaller(call)
  const why = await call.parts.sounds.play(call.customer.sound, { wav }, options)
  requireCaller(call)
  return why
}

/** A database or a storage that is unavailable is asked again, since it may have the prompt. */
type Sound = { is: 'ready'; wav: Buffer } | { is: 'missing' } | { is: 'unknown' }

async function readSound({ parts: { edge }, number }: FlowCall, text: string): Promise<Sound> {
  try {
    const wav = await readPrompt(edge.db.sql, edge.storage, number, text)
    return wav ? { is: 'ready', wav } : { is: 'missing' }
  } catch {
    return { is: 'unknown' }
  }
}

/**
 * Neither the prompt nor the default greeting is there, so this edge synthesises the greeting, whatever became of the
 * worker. The caller hears ringback meanwhile: silence would sound like a dead line.
 */
async function waitForSound(call: FlowCall, text: string): Promise<Buffer | undefined> {
  const { edge, sounds } = call.parts
  requireCaller(call)
  const stopRingback = await sounds.loop(call.customer.sound, { tone: 'ringback' })
  let standIn: Buffer | undefined
  inBackground(edge.log, 'synthesise a default greeting', async () => {
    standIn = await speakStandIn(edge, call.number, text)
  })
  try {
    for (
      let waitedMs = 0;
      waitedMs < TELEPHONY_LIMITS.promptWaitMs;
      waitedMs += TELEPHONY_LIMITS.promptCheckMs
    ) {
      await pauseBy(edge.realTime)(TELEPHONY_LIMITS.promptCheckMs)
      requireCaller(call)
      const sound = await readSound(call, text)
      if (sound.is === 'ready') return sound.wav
      if (sound.is === 'missing' && standIn) return standIn
    }
  } finally {
    stopRingback()
  }
  if (!standIn)
    edge.log.warn({ number: call.number.id }, 'a prompt was skipped because it could not be synthesised')
  return standIn
}

import type { PlayEnd, PlayOptions } from '../../media/port.ts'
import {
  type CalledNumber,
  openingTextOf,
  readPrompt,
  speakStandIn,
  type StoredFlow,
} from '../../modules/numbers/index.ts'
import { inBackground } from '../../platform/background.ts'
import { pauseBy } from '../../platform/clock.ts'
import { TELEPHONY_LIMITS } from '../limits.ts'
import type { EdgePort } from '../port.ts'
import { type FlowCall, type PromptSound, requireCaller } from './flow-call.ts'

/** Plays a prompt, or what stands in for one that is still being synthesised. */
export async function say(call: FlowCall, text: string, options?: PlayOptions): Promise<PlayEnd> {
  const { opening } = call
  call.opening = undefined
  const sound = await (opening?.text === text ? opening.sound : readSound(call.parts.edge, call.number, text))
  const wav = sound.is === 'ready' ? sound.wav : await waitForSound(call, text)
  if (!wav) return 'finished'
  requireCaller(call)
  const why = await call.parts.sounds.play(call.customer.sound, { wav }, options)
  requireCaller(call)
  return why
}

/** Reads the prompt that a call flow begins with, so that the caller hears it as soon as the call is answered. */
export function readOpening(edge: EdgePort, number: CalledNumber, flow: StoredFlow): FlowCall['opening'] {
  const text = openingTextOf(flow)
  return text === undefined ? undefined : { text, sound: readSound(edge, number, text) }
}

async function readSound(edge: EdgePort, number: CalledNumber, text: string): Promise<PromptSound> {
  try {
    const wav = await readPrompt(edge.db.sql, edge.prompts, number, text)
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
      const sound = await readSound(edge, call.number, text)
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

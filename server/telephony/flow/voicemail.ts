import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { moveCall } from '../../modules/live-calls/index.ts'
import { voicemailRecorded } from '../../modules/voicemails/index.ts'
import { LIMITS } from '../limits.ts'
import { keepRecording } from '../recording.ts'
import type { Recorded } from '../sounds.ts'
import { type FlowCall, type FlowEnd, stillThere } from './flow-call.ts'
import { say } from './say.ts'

/** A greeting, a beep, and what the caller says until they hang up, fall silent, or have said enough. */
export async function takeVoicemail(call: FlowCall, greeting: string): Promise<FlowEnd> {
  const { parts, ref, customer } = call
  await parts.store((tx) => moveCall(tx, ref, 'playing_audio'))
  await say(call, greeting)
  await parts.sounds.play(customer.sound, { tone: 'beep' })
  stillThere(call)
  const recording = await parts.sounds.record(customer.sound, {
    file: join(parts.exchange.spoolDir, `voicemail-${randomUUID()}.wav`),
    channels: 1,
    maxMs: LIMITS.voicemailMaxMs,
    silenceMs: LIMITS.voicemailSilenceMs,
  })
  await parts.store((tx) => moveCall(tx, ref, 'recording'))
  const recorded = await recording.ended
  const said = recorded.durationMs - (recorded.why === 'silence' ? LIMITS.voicemailSilenceMs : 0)
  if (said < LIMITS.voicemailMinMs) {
    await rm(recorded.file, { force: true })
    return 'no_voicemail'
  }
  await save(call, recorded)
  return 'voicemail_left'
}

async function save({ parts, ref, number }: FlowCall, { file }: Recorded): Promise<void> {
  const key = await keepRecording(parts, file, `voicemails/${number.company_id}/${randomUUID()}.wav`)
  if (key) await parts.store((tx) => voicemailRecorded(tx, ref.companyId, ref.callId, key))
}

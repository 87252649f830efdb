import { rm } from 'node:fs/promises'

import { TELEPHONY_LIMITS } from '../limits.ts'
import { isVoicemail } from '../sound/is-voicemail.ts'
import { spooledRecording } from '../sound/spool.ts'
import { storeRecording } from '../sound/store-recordings.ts'
import { type FlowCall, type FlowEnd, recordFlowState, requireCaller } from './flow-call.ts'
import { say } from './say.ts'

/** Plays a greeting and a beep, then records until the caller hangs up or is silent, or the time is up. */
export async function takeVoicemail(call: FlowCall, greeting: string): Promise<FlowEnd> {
  const { parts, ref, customer } = call
  recordFlowState(call, 'playing_audio')
  await say(call, greeting)
  await parts.sounds.play(customer.sound, { tone: 'beep' })
  requireCaller(call)
  const spool = spooledRecording(parts.edge.spoolDir, 'voicemail', ref)
  const recording = await parts.sounds.record(customer.sound, {
    file: spool.file,
    channels: 1,
    maxMs: TELEPHONY_LIMITS.voicemailMaxMs,
    silenceMs: TELEPHONY_LIMITS.voicemailSilenceMs,
  })
  // By the call's clock: media time falls behind when the machine stalls.
  const stopTimer = parts.edge.clock.after(TELEPHONY_LIMITS.voicemailMaxMs, () => recording.stop())
  recordFlowState(call, 'recording')
  const recorded = await recording.ended
  stopTimer()
  if (!(await isVoicemail(parts.edge, recorded.file))) {
    await rm(recorded.file, { force: true })
    return 'no_voicemail'
  }
  await storeRecording(parts, spool)
  return 'voicemail_left'
}

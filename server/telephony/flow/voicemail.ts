import { rm } from 'node:fs/promises'

import { LIMITS } from '../limits.ts'
import { keepRecorded } from '../sound/keeping.ts'
import { spooled } from '../sound/spool.ts'
import { type FlowCall, type FlowEnd, note, stillThere } from './flow-call.ts'
import { say } from './say.ts'

/** Plays a greeting and a beep, then records until the caller hangs up or is silent, or the time is up. */
export async function takeVoicemail(call: FlowCall, greeting: string): Promise<FlowEnd> {
  const { parts, ref, customer } = call
  note(call, 'playing_audio')
  await say(call, greeting)
  await parts.sounds.play(customer.sound, { tone: 'beep' })
  stillThere(call)
  const spool = spooled(parts.exchange.spoolDir, 'voicemail', ref)
  const recording = await parts.sounds.record(customer.sound, {
    file: spool.file,
    channels: 1,
    maxMs: LIMITS.voicemailMaxMs,
    silenceMs: LIMITS.voicemailSilenceMs,
  })
  // By the call's clock: media time falls behind when the machine stalls.
  const stopTimer = parts.exchange.clock.after(LIMITS.voicemailMaxMs, () => recording.stop())
  note(call, 'recording')
  const recorded = await recording.ended
  stopTimer()
  const said = recorded.durationMs - (recorded.why === 'silence' ? LIMITS.voicemailSilenceMs : 0)
  if (said < LIMITS.voicemailMinMs) {
    await rm(recorded.file, { force: true })
    return 'no_voicemail'
  }
  await keepRecorded(parts, spool)
  return 'voicemail_left'
}

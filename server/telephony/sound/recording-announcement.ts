import {
  findRecordingAnnouncement,
  type RecordingNotice,
  speakRecordingAnnouncement,
} from '../../modules/numbers/index.ts'
import { withTimeout } from '../../platform/clock.ts'
import { isEmergencyNumber } from '../../platform/text/short-numbers/short-numbers.ts'
import type { ControlParts, CustomerCall } from '../call/customer-call.ts'
import type { Leg } from '../call/leg.ts'
import { TELEPHONY_LIMITS } from '../limits.ts'

/** How the people in a call learn that it is recorded. An emergency call is neither delayed nor disturbed. */
export function noticeOf({ number, direction, remoteNumber }: CustomerCall): RecordingNotice {
  const isEmergency = direction === 'outbound' && isEmergencyNumber(remoteNumber, number.country)
  return number.recording_enabled && !isEmergency ? number.recording_notice : 'none'
}

/** Nobody is recorded who should have been told and was not. */
export const mayRecord = (call: CustomerCall): boolean =>
  call.number.recording_enabled && (noticeOf(call) !== 'announcement' || call.progress.isRecordingAnnounced)

/** Says once that the call is recorded, to all of these at the same time, if the number is set to. */
export async function announceRecording(parts: ControlParts, call: CustomerCall, legs: Leg[]): Promise<void> {
  const { progress, ref } = call
  if (noticeOf(call) !== 'announcement' || progress.isRecordingAnnounced) return
  const { log } = parts.edge
  try {
    progress.isRecordingAnnounced = await announce(parts, call, legs)
    if (!progress.isRecordingAnnounced && !isAnyOver(legs))
      log.warn({ call: ref.callId }, 'a call is not recorded because the announcement was not ready')
  } catch (err) {
    // An error after one of them hung up is expected.
    if (!isAnyOver(legs))
      log.error({ err, call: ref.callId }, 'a call is not recorded because the announcement failed')
  }
}

const isAnyOver = (legs: Leg[]) => legs.some(({ isOver }) => isOver)

/** False if one of them has not heard all of it. */
async function announce(parts: ControlParts, { number }: CustomerCall, legs: Leg[]): Promise<boolean> {
  const wav = await loadAnnouncement(parts, number.language, legs)
  if (!wav || isAnyOver(legs)) return false
  const played = Promise.all(legs.map(({ sound }) => parts.sounds.play(sound, { wav })))
  const gone = legs.map(({ ended }) => ended.then(() => undefined))
  const ends = await Promise.race([played, ...gone])
  return ends?.every((why) => why === 'finished') ?? false
}

/** They hear ringback while it has to be synthesised first: silence would sound like a dead line. */
async function loadAnnouncement(
  { edge, sounds }: ControlParts,
  language: string,
  legs: Leg[],
): Promise<Buffer | undefined> {
  // If the storage is away, it is synthesised all the same.
  const stored = await findRecordingAnnouncement(edge.storage, language).catch(() => undefined)
  if (stored) return stored
  const ringing = await Promise.all(legs.map(({ sound }) => sounds.loop(sound, { tone: 'ringback' })))
  try {
    const speaking = speakRecordingAnnouncement(edge, language)
    const spoken = await withTimeout(edge.realTime, TELEPHONY_LIMITS.promptWaitMs, speaking)
    return spoken.ok ? spoken.value : undefined
  } finally {
    for (const stop of ringing) stop()
  }
}

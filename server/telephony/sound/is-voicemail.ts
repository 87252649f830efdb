import { readFile } from 'node:fs/promises'

import { isSilent } from '../../media/port.ts'
import { TELEPHONY_LIMITS } from '../limits.ts'
import type { EdgePort } from '../port.ts'
import { WAV } from './audio-duration.ts'

const FRAME_MS = 20

/** Whether somebody left a message: there is speech, or more sound than a click or a tone of the network. */
export async function isVoicemail(
  { hasSpeech, log }: Pick<EdgePort, 'hasSpeech' | 'log'>,
  file: string,
): Promise<boolean> {
  try {
    const soundMs = soundMsIn(await readFile(file))
    if (soundMs > TELEPHONY_LIMITS.voicemailSoundMs) return true
    return soundMs > 0 && (await hasSpeech(file))
  } catch (err) {
    log.warn({ err, file }, 'a recording could not be checked for speech, so it is kept as a voicemail')
    return true
  }
}

/** How long the recording is not silent, counted until it is long enough. */
function soundMsIn(bytes: Buffer): number {
  const samples = new Int16Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 2))
  const frame = (FRAME_MS * WAV.bytesPerMs) / 2
  let soundMs = 0
  for (let at = WAV.headerBytes / 2; at + frame <= samples.length; at += frame) {
    if (!isSilent(samples.subarray(at, at + frame))) soundMs += FRAME_MS
    if (soundMs > TELEPHONY_LIMITS.voicemailSoundMs) break
  }
  return soundMs
}

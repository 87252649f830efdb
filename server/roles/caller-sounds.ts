import { renderTone, type ToneName, TONES } from '../media/audio/tones.ts'
import { wavHeader } from '../media/audio/wav-writer.ts'
import { holdMusic } from '../telephony/sound/hold-music.ts'

const toneWav = (name: ToneName): Buffer => {
  const samples = Buffer.from(renderTone(TONES[name]).buffer)
  return Buffer.concat([wavHeader(1, samples.length), samples])
}

/** What callers hear besides speech, as WAV files. */
export const CALLER_SOUNDS = {
  ringtone: () => toneWav('ringback'),
  music: () => holdMusic().wav,
  beep: () => toneWav('beep'),
}

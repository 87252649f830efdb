import { channelsOf, toneShare, toneShareInParts } from './audio-analysis.ts'
import type { RtpPhone } from './rtp-phone.ts'

/** Waits until the phone hears these tones at once. */
export function hearsAll(phone: RtpPhone, ...tones: number[]) {
  const from = phone.heard.length
  return phone.until(`${tones.join(' and ')} Hz`, () => {
    const heard = phone.last(400, from)
    const shares = heard && tones.map((hz) => toneShare(heard, hz))
    // Browsers are not as loud as phones.
    return shares && Math.min(...shares) > 0.03 && shares.reduce((sum, share) => sum + share) > 0.8
  })
}

/** Waits until the phone hears music: something loud that is none of these tones. */
export function hearsMusic(phone: RtpPhone, ...tones: number[]) {
  const from = phone.heard.length
  return phone.until('music', () => {
    const heard = phone.last(1_000, from)
    return (
      heard &&
      tones.every((hz) => toneShare(heard, hz) < 0.2) &&
      heard.some((sample) => Math.abs(sample) > 1_000)
    )
  })
}

/** Waits until the phone has heard the end of a beep, which may have begun before the call was connected. */
export function hearsBeep(phone: RtpPhone) {
  return phone.until('a beep', () => {
    const heard = phone.last(200)
    return heard && toneShare(heard, 1_000) > 0.95
  })
}

/** Whether there are 160 ms in which the customer and all these employees are heard, even if packets were late. */
export async function wasRecordedTogether(url: string, customerHz: number, ...employees: number[]) {
  const recording = await fetch(url)
  const [left, right] = channelsOf(Buffer.from(await recording.arrayBuffer()))
  const window = 1_280
  const isOfAll = (at: number) =>
    toneShareInParts(left!.subarray(at, at + window), customerHz) > 0.9 &&
    employees.every((hz) => toneShareInParts(right!.subarray(at, at + window), hz) > 0.35)
  const starts = Array.from({ length: Math.floor((left!.length / window) * 4) }, (_, i) => (i * window) / 4)
  return starts.some(isOfAll)
}

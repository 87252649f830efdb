/** Which tone a listener would hear, and how loud. */
const power = (samples: ArrayLike<number>) => {
  let sum = 0
  for (let i = 0; i < samples.length; i++) sum += samples[i]! * samples[i]!
  return sum / samples.length
}

/** The share of the energy in a sine of this frequency, from 0 to 1; 0 for silence. */
export function toneShare(samples: ArrayLike<number>, hz: number, sampleRate = 8_000): number {
  const total = power(samples)
  if (total < 1e-9) return 0
  let [real, imaginary] = [0, 0]
  for (let i = 0; i < samples.length; i++) {
    const angle = (2 * Math.PI * hz * i) / sampleRate
    real += samples[i]! * Math.cos(angle)
    imaginary -= samples[i]! * Math.sin(angle)
  }
  return (2 * (real * real + imaginary * imaginary)) / (samples.length * samples.length) / total
}

/** The same for audio assembled from packets: the phase of the sine jumps where a packet was late. */
export function toneShareInParts(samples: Float32Array | Int16Array, hz: number): number {
  const PART = 400
  let [tone, total] = [0, 0]
  for (let at = 0; at + PART <= samples.length; at += PART) {
    const part = samples.subarray(at, at + PART)
    tone += toneShare(part, hz) * power(part)
    total += power(part)
  }
  return total === 0 ? 0 : tone / total
}

/** Consecutive stretches of 200 ms: on a busy machine some have gaps, but never all. */
export function stretches<Samples extends Float32Array | Int16Array>(samples: Samples): Samples[] {
  const LENGTH = 1_600
  return Array.from(
    { length: Math.floor(samples.length / LENGTH) },
    (_, i) => samples.subarray(i * LENGTH, (i + 1) * LENGTH) as Samples,
  )
}

/** Root mean square; full scale of 16 bits is 32,768. */
export const loudness = (samples: ArrayLike<number>): number => Math.sqrt(power(samples))

/** The longest run of nearly silent samples. */
export function longestSilence(samples: ArrayLike<number>, below = 64): number {
  let [run, longest] = [0, 0]
  for (let i = 0; i < samples.length; i++) {
    run = Math.abs(samples[i]!) < below ? run + 1 : 0
    longest = Math.max(longest, run)
  }
  return longest
}

export function sine(hz: number, seconds: number, sampleRate = 8_000, level = 8_000): Int16Array {
  return Int16Array.from({ length: Math.round(seconds * sampleRate) }, (_, i) =>
    Math.round(level * Math.sin((2 * Math.PI * hz * i) / sampleRate)),
  )
}

/** The channels of a 16-bit WAV file, whose samples are interleaved. */
export function channelsOf(wav: Buffer): Int16Array[] {
  const channels = wav.readUInt16LE(22)
  const samples = wav.subarray(wav.indexOf('data') + 8)
  const length = Math.floor(samples.length / (2 * channels))
  return Array.from({ length: channels }, (_, channel) =>
    Int16Array.from({ length }, (__, i) => samples.readInt16LE((i * channels + channel) * 2)),
  )
}

const MOMENT = 1_280

/** The start of the first 160 ms that are this tone, even if packets were late; -1 if there are none. */
export function findTone(samples: Int16Array, hz: number): number {
  for (let at = 0; at + MOMENT <= samples.length; at += MOMENT / 4)
    if (toneShareInParts(samples.subarray(at, at + MOMENT), hz) > 0.9) return at
  return -1
}

/** The start of the first 160 ms with one tone left and another right, even if packets were late; -1 if there are none. */
export function findTonePair(left: Int16Array, leftHz: number, right: Int16Array, rightHz: number): number {
  for (let at = 0; at + MOMENT <= left.length; at += MOMENT / 4) {
    const [said, answered] = [left.subarray(at, at + MOMENT), right.subarray(at, at + MOMENT)]
    if (toneShareInParts(said, leftHz) > 0.9 && toneShareInParts(answered, rightHz) > 0.9) return at
  }
  return -1
}

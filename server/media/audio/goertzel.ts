/**
 * The mean power of a sine of this frequency in the samples, in the unit of `meanPower`. The quotient of the two is
 * its share of the signal.
 */
export function powerAt(hz: number, samples: ArrayLike<number>, sampleRate: number): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * hz) / sampleRate)
  let [last, before] = [0, 0]
  for (let i = 0; i < samples.length; i++) {
    const next = samples[i]! + coefficient * last - before
    before = last
    last = next
  }
  const squared = last * last + before * before - coefficient * last * before
  return (2 * squared) / (samples.length * samples.length)
}

export function meanPower(samples: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < samples.length; i++) sum += samples[i]! * samples[i]!
  return sum / samples.length
}

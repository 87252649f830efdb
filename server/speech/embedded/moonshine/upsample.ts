/** Zero crossings of the filter on each side. */
const REACH = 16

/** A sinc with a Blackman window, half-way between two samples. */
const BETWEEN = Float32Array.from({ length: 2 * REACH }, (_, tap) => {
  const x = tap - REACH + 0.5
  const turn = (Math.PI * x) / REACH
  const window = 0.42 + 0.5 * Math.cos(turn) + 0.08 * Math.cos(2 * turn)
  return (Math.sin(Math.PI * x) / (Math.PI * x)) * window
})

/** From 8 to 16 kHz: inserts an interpolated sample after each. */
export function upsample(samples: Float32Array): Float32Array {
  const padded = new Float32Array(samples.length + 2 * REACH)
  padded.set(samples, REACH - 1)
  const doubled = new Float32Array(samples.length * 2)
  for (let i = 0; i < samples.length; i++) {
    let sum = 0
    for (let tap = 0; tap < BETWEEN.length; tap++) sum += BETWEEN[tap]! * padded[i + tap]!
    doubled[2 * i] = samples[i]!
    doubled[2 * i + 1] = sum
  }
  return doubled
}

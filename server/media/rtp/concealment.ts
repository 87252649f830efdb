import { SAMPLE_RATE, samplesIn } from '../audio/frame.ts'

const PITCH_MIN = Math.round(SAMPLE_RATE / 200)
const PITCH_MAX = Math.round(SAMPLE_RATE / 66)
const COMPARED = samplesIn(20)
const FADE = { afterSamples: samplesIn(10), overSamples: samplesIn(50) }
const OVERLAP = samplesIn(4)

/** Fills a gap by repeating the last pitch period, as G.711 appendix I does, and fades to silence if it lasts. */
export function createConcealment() {
  const history = new Int16Array(PITCH_MAX + COMPARED)
  let gapped = 0
  let period: Int16Array | undefined

  function remember(samples: Int16Array): void {
    const kept = samples.subarray(-history.length)
    history.copyWithin(0, kept.length)
    history.set(kept, history.length - kept.length)
  }

  function invented(): number {
    const loudness = 1 - Math.max(0, gapped - FADE.afterSamples) / FADE.overSamples
    const sample = loudness <= 0 ? 0 : Math.round(period![gapped % period!.length]! * loudness)
    gapped++
    return sample
  }

  return {
    /** Received samples, smoothed in place where they follow a gap. */
    heard(samples: Int16Array): void {
      if (period) {
        const overlap = Math.min(OVERLAP, samples.length)
        for (let i = 0; i < overlap; i++) {
          const share = (i + 1) / (overlap + 1)
          samples[i] = Math.round(samples[i]! * share + invented() * (1 - share))
        }
        period = undefined
        gapped = 0
      }
      remember(samples)
    },
    fill(gap: Int16Array): void {
      period ??= history.slice(history.length - pitchOf(history))
      for (let i = 0; i < gap.length; i++) gap[i] = invented()
      remember(gap)
    },
  }
}

/** The lag at which the last 20 ms correlate best with what came before. */
function pitchOf(history: Int16Array): number {
  let [best, lagOfBest] = [-1, PITCH_MAX]
  const end = history.length
  for (let lag = PITCH_MIN; lag <= PITCH_MAX; lag++) {
    let [alike, power] = [0, 1]
    for (let i = end - COMPARED; i < end; i++) {
      const earlier = history[i - lag]!
      alike += history[i]! * earlier
      power += earlier * earlier
    }
    const score = alike / Math.sqrt(power)
    if (score > best) [best, lagOfBest] = [score, lag]
  }
  return lagOfBest
}

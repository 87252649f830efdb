import type { Waveform } from '../../api/waveforms.ts'
import { chosen, keepChoice } from '../theme/choice-cookie.ts'

const KEPT_AS = 'skip_silence'

/** Whether pauses are skipped at this browser. */
export const readSkipsSilence = () => chosen(KEPT_AS) === 'on'

export const keepSkipsSilence = (isOn: boolean) => keepChoice(KEPT_AS, isOn ? 'on' : 'off')

/** Where to go on, in seconds, if nobody speaks at this position. */
export function endOfSilence({ silences }: Waveform, seconds: number): number | undefined {
  const ms = seconds * 1_000
  const silence = silences.find(({ start_ms, end_ms }) => start_ms <= ms && ms < end_ms)
  return silence && silence.end_ms / 1_000
}

/** The limits of waveforms. */
export const WAVEFORM_LIMITS = {
  /** The bars of a waveform: more than a screen shows. */
  barsMax: 240,
  /** The sound of one bar, if the recording is short. */
  barMs: 100,
  /** Bytes of a recording that is measured; a longer one has no waveform. Four hours, the longest that are recorded. */
  bytesMax: 461_000_000,
  /** A pause that is long enough to be skipped. */
  silenceMs: 1_500,
  /** What is kept at both ends of a pause, so that no word is cut. */
  marginMs: 250,
  /** Pauses of one recording. */
  silencesMax: 500,
}

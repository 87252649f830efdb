/** The limits of the embedded media plane, with their units. */
export const MEDIA_LIMITS = {
  /** Nothing came for so long, not even reports: the other side may be gone. */
  quietMs: 30_000,
  reportEveryMs: 5_000,
  receiveBufferBytes: 1 << 20,
  mixLegsMax: 64,
}

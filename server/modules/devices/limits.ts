/** The limits of phones and softphones. */
export const DEVICE_LIMITS = {
  /** A registration that an edge forgot to remove is removed so long after it has expired. */
  expiredGraceSeconds: 5,
  /**
   * How long the credentials of a softphone last: a working day. The page asks again before it is over, and no grant
   * ends so soon by itself.
   */
  credentialsMs: 12 * 60 * 60 * 1000,
  /** Softphones of an employee: tabs that were closed stay until they expire. */
  browsersMax: 20,
}

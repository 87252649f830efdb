/** The limits of phones and softphones. */
export const DEVICE_LIMITS = {
  /** A phone that refused encrypted media is offered it again after this long: it may have been configured since. */
  encryptionRefusedSeconds: 24 * 60 * 60,
  /** How long after its expiry a registration is removed, if its edge did not remove it. */
  expiredGraceSeconds: 5,
  /**
   * How long the credentials of a softphone last: a working day. The page renews them in time, and no grant expires
   * sooner.
   */
  credentialsMs: 12 * 60 * 60 * 1000,
  /** How long a phone can fetch its settings by a link. */
  provisioningMs: 24 * 60 * 60 * 1000,
  /** Softphones of an employee, including those of closed tabs until they expire. */
  browsersMax: 20,
}

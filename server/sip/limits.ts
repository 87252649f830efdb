/** Every limit of the SIP library, with its unit. Times of RFC 3261 itself are in transaction/timers.ts. */
export const LIMITS = {
  messageBytesMax: 65_535,
  headerFieldsMax: 200,
}

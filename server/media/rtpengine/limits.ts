/** The limits of the media plane that uses rtpengine. */
export const RTPENGINE_LIMITS = {
  /** How long a request to an instance waits for its reply. Then new calls go to the others. */
  requestMs: 3_000,
  /** How long an instance has been silent when its calls are moved to another. */
  lostAfterMs: 7_000,
  /** The same if there is no other: it may only be slow, and its calls would end. */
  onlyLostAfterMs: 30_000,
  /**
   * After such a silence an instance that replies again gets its calls anew. rtpengine reads no more from a socket that
   * had over 50 packets waiting five times, and 250 packets are five seconds.
   */
  deafAfterMs: 4_500,
  /** When a request is sent again for the first time; the interval doubles. */
  resendMs: 200,
  /** How often each instance is asked whether it is there, and one of its calls whether it still exists. */
  checkEveryMs: 2_000,
  /** How often rtpengine is asked whether the legs of a direct conversation still send. */
  quietCheckMs: 10_000,
  /** How long two legs talk to each other through this process before they are connected at rtpengine. */
  directAfterMs: 1_000,
  /** After the last DTMF digit that we send, before the legs are connected directly again. */
  afterDigitsMs: 1_000,
}

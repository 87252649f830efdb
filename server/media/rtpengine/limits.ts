/** The limits of the media plane that uses rtpengine. */
export const RTPENGINE_LIMITS = {
  /** How long a request to an instance waits for its reply. Then the instance counts as gone. */
  requestMs: 3_000,
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

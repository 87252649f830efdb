import type { LegId } from '../../media/port.ts'
import type { SipCall } from '../../sip/index.ts'

/** The called side of an outbound call, before it is called. */
export interface PlacedLeg {
  sound: LegId
  /** Calls it. `onInvite` gets the Call-ID of each INVITE. */
  invite(onInvite: (sipCallId: string) => void): SipCall
  /** Resolves when nothing that the call caused keeps its employee from being offered other calls. */
  settled(): Promise<void>
  /** For a call that is not placed after all. */
  discard(): Promise<void>
}

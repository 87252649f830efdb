import type { IncomingCall } from '../../sip/index.ts'
import { isOfPeerEdge } from '../edge/peer-edges.ts'

/** Names the device that dialled the code, in a call from the edge at which it did. */
export const DIALLED_BY = 'x-bellhop-device'

/** Whether another edge passes on a phone that dialled a code, because the call that it is about is here. */
export const isPassedOn = (call: IncomingCall) =>
  isOfPeerEdge(call) && call.request.headers.get(DIALLED_BY) !== undefined

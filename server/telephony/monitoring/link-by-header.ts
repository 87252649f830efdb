import { decodeId } from '../../platform/ids.ts'
import type { MessageTrace } from '../../sip/index.ts'

/** Adds an INVITE to the trace of the call that its X-Bellhop-Call names. */
export function linkByHeader(trace: MessageTrace, header: string | undefined, sipCallId: string): void {
  const callId = header === undefined ? undefined : (decodeId('cal', header) ?? decodeId('ica', header))
  if (callId !== undefined) trace.link(callId, sipCallId)
}

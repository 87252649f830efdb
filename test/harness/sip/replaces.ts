import type { MessageTrace, SipCall } from '../../../server/sip/index.ts'

const TAG = (header: string) => new RegExp(`^${header}:.*;tag=([^;\\s]+)`, 'im')

/** RFC 3891: how a phone names one of its calls to the other side. Its own tag is the from-tag. */
export function replacesOf(trace: MessageTrace, call: SipCall, more = ''): string {
  const response = trace
    .read({ sipCallId: call.id })
    .findLast(({ text }) => /^SIP\/2\.0 (1[^0]|2)/.test(text) && TAG('To').test(text))
  if (!response) throw new Error('the call has no dialog yet')
  const [from, to] = ['From', 'To'].map((header) => TAG(header).exec(response.text)![1]!)
  // A phone that was called has the tag of To.
  const [ours, theirs] = isToInvite(response.direction) ? [to, from] : [from, to]
  return `${call.id};to-tag=${theirs};from-tag=${ours}${more}`
}

const isToInvite = (direction: 'in' | 'out') => direction === 'out'

/** RFC 5589: the target of an attended transfer. */
export const joining = (uri: string, replaces: string) => `${uri}?Replaces=${encodeURIComponent(replaces)}`

import type { PageRequest } from '../../../platform/http/page.ts'
import { networkOf } from '../../../platform/net/network-of.ts'
import { LIMITS } from '../limits.ts'

/** What is known about a browser before the sign-in. */
export interface Visitor {
  cookieHeader: string | undefined
  network: string
  userAgent: string
}

export const visitorOf = ({ headers, address }: PageRequest): Visitor => ({
  cookieHeader: headers.cookie,
  network: networkOf(address),
  userAgent: (headers['user-agent'] ?? '').slice(0, LIMITS.userAgentCharacters),
})

import type { PageRequest } from '../../../platform/http/page.ts'
import { networkOf } from '../../../platform/net/client-network.ts'
import { SIGN_IN_LIMITS } from '../limits.ts'

/** What is known about a browser before the sign-in. */
export interface RequestClient {
  cookieHeader: string | undefined
  network: string
  userAgent: string
}

export const requestClientOf = ({ headers, address }: PageRequest): RequestClient => ({
  cookieHeader: headers.cookie,
  network: networkOf(address),
  userAgent: (headers['user-agent'] ?? '').slice(0, SIGN_IN_LIMITS.userAgentCharacters),
})

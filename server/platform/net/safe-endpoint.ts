import { fieldError } from '../errors.ts'
import { isPublicAddress, resolveHost } from './public-address.ts'

export interface EndpointRules {
  /** For development and tests: also http, also addresses of this machine and its network. */
  allowInsecure: boolean
}

/** Refuses an address that we must not be sent to. It is checked again at each connection, as names move. */
export async function requireSafeEndpoint(text: string, { allowInsecure }: EndpointRules): Promise<void> {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const protocols = allowInsecure ? ['https:', 'http:'] : ['https:']
  if (!url || !protocols.includes(url.protocol)) throw fieldError('url', 'must be an https address')
  if (url.username || url.password) throw fieldError('url', 'must not hold a user name or password')
  if (allowInsecure) return
  const addresses = await resolveHost(url.hostname)
  if (!addresses.every(isPublicAddress)) throw fieldError('url', 'must not lead to a private address')
}

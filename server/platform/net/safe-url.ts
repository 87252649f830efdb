import { fieldError } from '../errors.ts'
import { isPublicAddress, lookUpAddresses } from './public-address.ts'

export interface UrlRules {
  /** For development and tests: allows http, and addresses of this machine and its network. */
  allowInsecure: boolean
}

/** Refuses URLs that we must not send requests to. Checked again at each connection, because DNS changes. */
export async function requireSafeUrl(
  text: string,
  { allowInsecure }: UrlRules,
  field = 'url',
): Promise<void> {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const protocols = allowInsecure ? ['https:', 'http:'] : ['https:']
  if (!url || !protocols.includes(url.protocol)) throw fieldError(field, 'must be an https address')
  if (url.username || url.password) throw fieldError(field, 'must not hold a user name or password')
  if (allowInsecure) return
  const addresses = await lookUpAddresses(url.hostname)
  if (!addresses.every(isPublicAddress)) throw fieldError(field, 'must not lead to a private address')
}

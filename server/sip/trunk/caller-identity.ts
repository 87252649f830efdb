import { type Address, printAddress } from '../message/grammar/address.ts'
import type { SipUri } from '../message/grammar/uri.ts'
import type { TrunkConfig } from './config.ts'
import { formatNumber } from './number-format.ts'
import { domainOf } from './probe.ts'

/** Who places a call over a carrier. */
export interface CallerId {
  /** One of our numbers, in E.164. */
  number: string
  /** The callee must not see the number (RFC 3323); the carrier still does. */
  isWithheld?: boolean
}

const ANONYMOUS: Address = {
  name: 'Anonymous',
  uri: { scheme: 'sip', user: 'anonymous', host: 'anonymous.invalid', params: new Map() },
  params: new Map(),
}

/** From, and the header fields of RFC 3325 that tell the carrier who calls, as it wants them. */
export function identify(
  config: TrunkConfig,
  { number, isWithheld = false }: CallerId,
): { from: Address; headers: Record<string, string> } {
  const at = (user: string): SipUri => ({ scheme: 'sip', user, host: domainOf(config), params: new Map() })
  const address = (user: string): Address => ({ uri: at(user), params: new Map() })
  const shown = address(formatNumber(number, config.numberFormat))
  const account = config.from === 'account' ? accountOf(config) : undefined
  // Whoever is anonymous in From is known to the carrier by this field alone.
  const identity = isWithheld && account === undefined ? (config.identity ?? 'preferred') : config.identity
  return {
    from: account === undefined ? (isWithheld ? ANONYMOUS : shown) : address(account),
    headers: {
      ...(identity && { [`p-${identity}-identity`]: printAddress(shown) }),
      ...(isWithheld && { privacy: 'id' }),
    },
  }
}

const accountOf = ({ registration, credentials }: TrunkConfig) => registration?.user ?? credentials?.username

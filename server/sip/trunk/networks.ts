import { BlockList, isIP, isIPv6 } from 'node:net'

import { SIP_LIMITS } from '../limits.ts'

/** Whether an address is listed, or in a listed network. */
export function networkMatcher(listed: string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const entry of listed) {
    const [address, bits] = entry.split('/')
    const family = isIPv6(address!) ? 'ipv6' : 'ipv4'
    if (!isIP(address!)) throw new Error(`${entry} is not an address or a network`)
    if (bits === undefined) list.addAddress(address!, family)
    else list.addSubnet(address!, Number(bits), family)
  }
  const known = new Map<string, boolean>()
  return (address) => {
    // Asked for every message, and mostly of the same few addresses.
    const isKnown = known.get(address)
    if (isKnown !== undefined) return isKnown
    const isListed = list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
    if (known.size >= SIP_LIMITS.knownAddressesMax) known.clear()
    known.set(address, isListed)
    return isListed
  }
}

import { lookup } from 'node:dns/promises'

import ipaddr from 'ipaddr.js'

/** Whether an IP address is out on the internet: not private, loopback, link-local, reserved or a cloud's metadata. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  // An IPv4 address dressed as IPv6 is what it is underneath.
  const parsed = ipaddr.process(address)
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(IPV6_INTERNET))
}

/** All that is routed of IPv6. Beyond it are older ways to write IPv4 addresses, such as ::7f00:1. */
const IPV6_INTERNET = ipaddr.parseCIDR('2000::/3')

/** The addresses a host name or literal stands for now; none when it cannot be resolved. */
export async function resolveHost(hostname: string): Promise<string[]> {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1')
  if (ipaddr.isValid(literal)) return [literal]
  try {
    return (await lookup(hostname, { all: true })).map(({ address }) => address)
  } catch {
    return []
  }
}

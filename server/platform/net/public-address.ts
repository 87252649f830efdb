import { lookup } from 'node:dns/promises'

import ipaddr from 'ipaddr.js'

/** Whether an IP address is on the internet: not private, loopback, link-local, reserved or cloud metadata. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  // An IPv4-mapped IPv6 address is judged as IPv4.
  const parsed = ipaddr.process(address)
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(IPV6_INTERNET))
}

/** All global unicast IPv6. Beyond it are older notations of IPv4 addresses, such as ::7f00:1. */
const IPV6_INTERNET = ipaddr.parseCIDR('2000::/3')

/** The addresses of a host name or literal; empty if it cannot be resolved. */
export async function lookUpAddresses(hostname: string): Promise<string[]> {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1')
  if (ipaddr.isValid(literal)) return [literal]
  try {
    return (await lookup(hostname, { all: true })).map(({ address }) => address)
  } catch {
    return []
  }
}

import ipaddr from 'ipaddr.js'

/** What counts as one client: an IPv4 address, or an IPv6 /64, which a single customer of a network gets. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return parsed.toByteArray().slice(0, 8).join('.')
}

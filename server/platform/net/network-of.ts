import ipaddr from 'ipaddr.js'

/** Who counts as one when addresses are counted: one customer of a network gets a whole /64 of IPv6 addresses. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return parsed.toByteArray().slice(0, 8).join('.')
}

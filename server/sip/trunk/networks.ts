import { BlockList, isIP, isIPv6 } from 'node:net'

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
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

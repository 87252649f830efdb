import { Resolver, lookup } from 'node:dns/promises'
import { isIP } from 'node:net'

import { SIP_LIMITS } from '../limits.ts'
import { unbracketed } from '../message/grammar/uri.ts'
import { defaultPort, family, type Family, type Protocol, type TransportAddress } from './flow.ts'

export interface ServiceRecord {
  name: string
  port: number
  priority: number
  weight: number
}

/** DNS is injected so that tests can control it. */
export interface Dns {
  services(name: string): Promise<ServiceRecord[]>
  /** In the order of preference. */
  addresses(name: string): Promise<string[]>
}

/** SRV records come from name servers (those of the machine by default), addresses from the operating system. */
export function createDns(servers?: string[]): Dns {
  const resolver = new Resolver({ timeout: SIP_LIMITS.dnsMs, tries: SIP_LIMITS.dnsTriesMax })
  if (servers) resolver.setServers(servers)
  return {
    // A name without SRV records is looked up as a host (RFC 3263 §4.2).
    services: (name) => resolver.resolveSrv(name).catch(() => []),
    // The system orders them as RFC 6724 says, which RFC 6157 asks for.
    addresses: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
  }
}

const SERVICES: Partial<Record<Protocol, string>> = { udp: '_sip._udp', tcp: '_sip._tcp', tls: '_sips._tcp' }

export interface SipServerQuery {
  host: string
  port: number | undefined
  protocol: Protocol
  /** Those that we can use. */
  families: ReadonlySet<Family>
}

/**
 * RFC 3263 §4.2, for a given transport: a name without a port may have SRV records, whose servers are returned in the
 * order to try them. A server has at most one address of each family (RFC 6157 §4); servers without one are left out.
 */
export async function resolveSipServers(
  dns: Dns,
  fraction: () => number,
  { host, port, protocol, families }: SipServerQuery,
): Promise<TransportAddress[]> {
  const name = unbracketed(host)
  if (isIP(name)) return [{ address: name, port: port ?? defaultPort(protocol) }]
  const service = SERVICES[protocol]
  const found = port === undefined && service ? await dns.services(`${service}.${name}`) : []
  if (found.length === 0) return addressesOf(dns, { name, port: port ?? defaultPort(protocol) }, families)
  const servers = inOrder(found, fraction).filter((server) => server.name !== '' && server.name !== '.')
  const settled = await Promise.allSettled(servers.map((server) => addressesOf(dns, server, families)))
  return settled.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
}

/** Throws if the name does not exist, or has only addresses that we cannot use. */
async function addressesOf(
  dns: Dns,
  { name, port }: { name: string; port: number },
  families: ReadonlySet<Family>,
): Promise<TransportAddress[]> {
  const found = await dns.addresses(name)
  const firsts = new Map<Family, string>()
  for (const address of found) {
    const version = family(address)
    if (families.has(version) && !firsts.has(version)) firsts.set(version, address)
  }
  if (firsts.size === 0) throw new Error(`${name} has no address of a family that we listen in`)
  return [...firsts.values()].map((address) => ({ address, port }))
}

/** RFC 2782: lowest priority first; within a priority, random by weight. */
function inOrder(records: ServiceRecord[], fraction: () => number): ServiceRecord[] {
  const priorities = [...new Set(records.map(({ priority }) => priority))].toSorted((a, b) => a - b)
  return priorities.flatMap((priority) =>
    draw(
      records.filter((record) => record.priority === priority),
      fraction,
    ),
  )
}

function draw(records: ServiceRecord[], fraction: () => number): ServiceRecord[] {
  // Records of weight 0 come first, so that they are rarely drawn.
  const left = records.toSorted((a, b) => Number(a.weight > 0) - Number(b.weight > 0))
  const drawn: ServiceRecord[] = []
  while (left.length > 0) {
    const total = left.reduce((sum, { weight }) => sum + weight, 0)
    let lot = Math.floor(fraction() * (total + 1))
    const at = left.findIndex(({ weight }) => (lot -= weight) <= 0)
    drawn.push(...left.splice(at, 1))
  }
  return drawn
}

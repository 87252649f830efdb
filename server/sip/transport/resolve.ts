import { Resolver, lookup } from 'node:dns/promises'
import { isIP } from 'node:net'

import { SIP_LIMITS } from '../limits.ts'
import { unbracketed } from '../message/grammar/uri.ts'
import { defaultPort, type Protocol, type TransportAddress } from './flow.ts'

export interface ServiceRecord {
  name: string
  port: number
  priority: number
  weight: number
}

/** DNS is injected so that tests can control it. */
export interface Dns {
  services(name: string): Promise<ServiceRecord[]>
  address(name: string): Promise<string>
}

/** SRV records come from name servers (those of the machine by default), addresses from the operating system. */
export function createDns(servers?: string[]): Dns {
  const resolver = new Resolver({ timeout: SIP_LIMITS.dnsMs, tries: SIP_LIMITS.dnsTriesMax })
  if (servers) resolver.setServers(servers)
  return {
    // A name without SRV records is looked up as a host (RFC 3263 §4.2).
    services: (name) => resolver.resolveSrv(name).catch(() => []),
    address: async (name) => (await lookup(name)).address,
  }
}

const SERVICES: Partial<Record<Protocol, string>> = { udp: '_sip._udp', tcp: '_sip._tcp', tls: '_sips._tcp' }

/**
 * RFC 3263 §4.2, for a given transport: a name without a port may have SRV records, whose servers are returned in the
 * order to try them. Servers without an address are left out.
 */
export async function resolveSipServers(
  dns: Dns,
  fraction: () => number,
  host: string,
  port: number | undefined,
  protocol: Protocol,
): Promise<TransportAddress[]> {
  const name = unbracketed(host)
  if (isIP(name)) return [{ address: name, port: port ?? defaultPort(protocol) }]
  const service = SERVICES[protocol]
  const found = port === undefined && service ? await dns.services(`${service}.${name}`) : []
  if (found.length === 0) return [{ address: await dns.address(name), port: port ?? defaultPort(protocol) }]
  const servers = inOrder(found, fraction).filter((server) => server.name !== '' && server.name !== '.')
  const settled = await Promise.allSettled(
    servers.map(async (server) => ({ address: await dns.address(server.name), port: server.port })),
  )
  return settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
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

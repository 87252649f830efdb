import { lookup, resolveSrv } from 'node:dns/promises'
import { isIP } from 'node:net'

import { unbracketed } from '../message/uri.ts'
import { type Endpoint, type Protocol, defaultPort } from './flow.ts'

/** Names to numbers; passed in, so that a test can decide what they are. */
export interface Dns {
  services(name: string): Promise<{ name: string; port: number; priority: number; weight: number }[]>
  address(name: string): Promise<string>
}

export const systemDns: Dns = {
  services: (name) => resolveSrv(name).catch(() => []),
  address: async (name) => (await lookup(name)).address,
}

const SERVICES: Partial<Record<Protocol, string>> = { udp: '_sip._udp', tcp: '_sip._tcp', tls: '_sips._tcp' }

/** RFC 3263 §4.2, for a transport that is already chosen: a name without a port may stand for a list of servers. */
export async function resolveHost(
  dns: Dns,
  host: string,
  port: number | undefined,
  protocol: Protocol,
): Promise<Endpoint> {
  const name = unbracketed(host)
  if (isIP(name)) return { address: name, port: port ?? defaultPort(protocol) }
  const service = SERVICES[protocol]
  const found = port === undefined && service ? await dns.services(`${service}.${name}`) : []
  const [best] = found.toSorted((a, b) => a.priority - b.priority || b.weight - a.weight)
  if (best) return { address: await dns.address(best.name), port: best.port }
  return { address: await dns.address(name), port: port ?? defaultPort(protocol) }
}

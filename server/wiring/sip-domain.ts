import { hostname } from 'node:os'

import type { Config } from '../config.ts'
import type { PhoneServer } from '../modules/devices/index.ts'
import { runningEdge } from '../modules/edges/index.ts'
import type { Database, Queryable } from '../platform/db/database.ts'

const DEFAULT_PORT = 5060

/** Where phones register: a host that they can reach, with the port unless it is the default. */
export async function sipDomain(sql: Queryable, config: Config): Promise<string> {
  // Only the edge knows which port it got for port 0, and it may have other settings than we do.
  return config.sip.domain ?? sipDomainAt(config, (await runningEdge(sql))?.sip_port ?? config.sip.port)
}

/** The same for an edge that listens at this port. */
export function sipDomainAt(config: Config, port: number): string {
  if (config.sip.domain !== undefined) return config.sip.domain
  const host = hostOf(config)
  return port === DEFAULT_PORT || port === 0 ? host : `${host}:${port}`
}

/** Where a phone registers: by TLS if the edge has a certificate. */
export async function phoneServer({ db, config }: { db: Database; config: Config }): Promise<PhoneServer> {
  const [, host, port] = /^(.*?)(?::(\d+))?$/.exec(await sipDomain(db.sql, config))!
  const { tls } = config.sip
  if (tls) return { host: host!, port: tls.port, transport: 'tls' }
  return { host: host!, port: port === undefined ? DEFAULT_PORT : Number(port), transport: 'udp' }
}

/** A listening address is not always a reachable one: a wildcard never is. */
function hostOf({ sip: { hosts, advertised }, baseUrl }: Config): string {
  const host = advertised[0] ?? hosts[0]!
  if (host !== '0.0.0.0' && host !== '::') return host.includes(':') ? `[${host}]` : host
  return baseUrl ? new URL(baseUrl).hostname : hostname()
}

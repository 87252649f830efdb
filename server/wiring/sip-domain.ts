import { hostname } from 'node:os'

import type { Config } from '../config.ts'
import { runningEdge } from '../modules/edges/index.ts'
import type { Queryable } from '../platform/db/database.ts'

const DEFAULT_PORT = 5060

/** Where phones register: a host that they can reach, with the port unless it is the default. */
export async function sipDomain(sql: Queryable, config: Config): Promise<string> {
  const { domain, port } = config.sip
  if (domain !== undefined) return domain
  // Only the edge knows which port it got for port 0, and it may have other settings than we do.
  const actual = (await runningEdge(sql))?.sip_port ?? port
  const host = hostOf(config)
  return actual === DEFAULT_PORT || actual === 0 ? host : `${host}:${actual}`
}

/** A listening address is not always a reachable one: a wildcard never is. */
function hostOf({ sip: { host, advertised }, baseUrl }: Config): string {
  if (advertised !== undefined) return advertised.includes(':') ? `[${advertised}]` : advertised
  if (host !== '0.0.0.0' && host !== '::') return host.includes(':') ? `[${host}]` : host
  return baseUrl ? new URL(baseUrl).hostname : hostname()
}

import { hostname } from 'node:os'

import type { Config } from '../config.ts'
import { runningEdge } from '../modules/edges/index.ts'
import type { Queryable } from '../platform/db/database.ts'

const DEFAULT_PORT = 5060

/** Where phones register: a name or address that they reach, and the port unless it is the usual one. */
export async function sipDomain(sql: Queryable, config: Config): Promise<string> {
  const { domain, port } = config.sip
  if (domain !== undefined) return domain
  // What port 0 has become, only the edge knows; and it may have been started with other settings than ours.
  const actual = (await runningEdge(sql))?.sip_port ?? port
  const host = hostOf(config)
  return actual === DEFAULT_PORT || actual === 0 ? host : `${host}:${actual}`
}

/** An address to listen on is not always one to call: a wildcard never is. */
function hostOf({ sip: { host, advertised }, baseUrl }: Config): string {
  if (advertised !== undefined) return advertised.includes(':') ? `[${advertised}]` : advertised
  if (host !== '0.0.0.0' && host !== '::') return host.includes(':') ? `[${host}]` : host
  return baseUrl ? new URL(baseUrl).hostname : hostname()
}

import { isIP } from 'node:net'

import type { FastifyRequest } from 'fastify'
import { Gauge, type Registry } from 'prom-client'

import type { Log } from '../../platform/log.ts'

/** Names that only one network knows. */
const INTERNAL = /(^|\.)(localhost|local|internal|lan|home\.arpa)$/

/**
 * Without a configured base URL, OAuth, MCP, links and webhooks go by the address that we listen on. The first request
 * that shows that clients use another one is logged, and `bellhop doctor` reads the metric.
 */
export function watchPublicHost({
  baseUrl,
  log,
  metrics,
}: {
  baseUrl: string | undefined
  log: Log
  metrics: Registry
}): (request: FastifyRequest) => void {
  const needed = new Gauge({
    name: 'bellhop_base_url_needed',
    help: '1 if a request came for a public host although BELLHOP_BASE_URL is not set.',
    registers: [metrics],
  })
  needed.set(0)
  let isKnown = baseUrl !== undefined
  return (request) => {
    if (isKnown) return
    const { host, protocol } = request
    if (!isPublic(host, protocol)) return
    isKnown = true
    needed.set(1)
    log.warn(
      { url: `${protocol}://${host}` },
      'a request came for a public host, but OAuth, MCP, links and webhooks name another one: set BELLHOP_BASE_URL to the public URL',
    )
  }
}

/** An IP address over plain http is accepted as it is; https comes from a proxy, so clients use another URL. */
function isPublic(host: string, protocol: string): boolean {
  if (!/^[\w.:[\]-]{1,255}$/.test(host) || !URL.canParse(`http://${host}`)) return false
  const { hostname } = new URL(`http://${host}`)
  if (INTERNAL.test(hostname)) return false
  if (isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0) return protocol === 'https'
  return hostname.includes('.')
}

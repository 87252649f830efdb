import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'

import { Agent, buildConnector } from 'undici'

import { BlockedAddress } from './connection-failure.ts'
import { isPublicAddress } from './public-address.ts'

export type Lookup = (
  host: string,
  options: { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

interface SafeAgentOptions {
  /** For development and tests: any address is allowed. */
  allowPrivate?: boolean
  connectionsPerHost: number
  connectMs: number
  lookup?: Lookup
}

/**
 * Fetches URLs that clients gave us. The address we connect to counts, whatever the name resolved to when the URL was
 * validated: names are resolved once, here, and the address that was checked is the one that is used.
 */
export function createSafeAgent(options: SafeAgentOptions): Agent {
  const { allowPrivate = false, connectionsPerHost, connectMs, lookup = systemLookup } = options
  const connect = buildConnector({
    timeout: connectMs,
    ...(!allowPrivate && { lookup: publicOnly(lookup) }),
  })
  return new Agent({
    connections: connectionsPerHost,
    pipelining: 1,
    connect(target, done) {
      const host = target.hostname.replace(/^\[(.*)\]$/, '$1')
      // A literal address is never resolved.
      if (!allowPrivate && isIP(host) && !isPublicAddress(host)) done(new BlockedAddress(host), null)
      else connect(target, done)
    },
  })
}

/** One private address among public ones is refused too: the other side decides which is tried first. */
function publicOnly(lookup: Lookup): LookupFunction {
  return (host, options, done) =>
    lookup(host, { all: true }, (error, addresses) => {
      if (error) return done(error, '')
      if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address)))
        return done(new BlockedAddress(host), '')
      if (options.all) return done(null, addresses)
      done(null, addresses[0]!.address, addresses[0]!.family)
    })
}

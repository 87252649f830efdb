import { networkInterfaces } from 'node:os'

import { bracketed } from '../message/grammar/uri.ts'
import { family } from './flow.ts'

const UNSPECIFIED = new Set(['0.0.0.0', '::'])

/**
 * The address at which a peer can reach us if we listen on `listening`, which may mean all interfaces. `advertised` are
 * our public addresses, one for each family.
 */
export function ownAddress(listening: string, remote: string, advertised: readonly string[]): string {
  const isLoopback = remote === '::1' || remote.startsWith('127.')
  const version = family(remote)
  const outside = advertised.find((address) => family(address) === version)
  if (outside !== undefined && !isLoopback) return bracketed(outside)
  if (!UNSPECIFIED.has(listening)) return bracketed(listening)
  const loopback = version === 6 ? '[::1]' : '127.0.0.1'
  if (isLoopback) return loopback
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  const own = addresses.find((each) => !each.internal && each.family === `IPv${version}` && !each.scopeid)
  // Without an address in this family, only this machine can reach us in it. Nobody can at 0.0.0.0 or ::.
  return own ? bracketed(own.address) : loopback
}

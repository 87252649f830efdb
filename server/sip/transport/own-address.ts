import { networkInterfaces } from 'node:os'

import { bracketed } from '../message/grammar/uri.ts'
import { family } from './flow.ts'

const UNSPECIFIED = new Set(['0.0.0.0', '::'])

/** The address at which a peer can reach us if we listen on `listening`, which may mean all interfaces. */
export function ownAddress(listening: string, remote: string, advertised: string | undefined): string {
  const isLoopback = remote === '::1' || remote.startsWith('127.')
  if (advertised !== undefined && !isLoopback) return advertised
  if (!UNSPECIFIED.has(listening)) return bracketed(listening)
  const version = family(remote)
  if (isLoopback) return version === 6 ? '[::1]' : '127.0.0.1'
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  const own = addresses.find((each) => !each.internal && each.family === `IPv${version}` && !each.scopeid)
  return own ? bracketed(own.address) : bracketed(listening)
}

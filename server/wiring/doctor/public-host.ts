import { isIP } from 'node:net'

import type { Config } from '../../config.ts'
import { localUrl } from '../local-url.ts'

/** Whether a host name or address is this machine. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  return address === 'localhost' || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'))
}

/** Where the API of this machine listens; undefined if it picks a port itself. */
export const ownUrl = ({ host, port }: Config): string | undefined =>
  port === 0 ? undefined : localUrl({ address: host, port })

/** Whether people elsewhere are meant to reach this installation. */
export const isPublic = ({ baseUrl, host }: Config): boolean =>
  !isLoopback(baseUrl === undefined ? host : new URL(baseUrl).hostname)

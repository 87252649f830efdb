import type { ClientConfig } from 'pg'

/** Where PostgreSQL listens: a URL, or the socket directory of the embedded one. */
export type DatabaseAddress =
  | {
      /** May name several hosts, as libpq's may. */
      url: string
      /** Given if `url` leads to a pooler that lends a session for one transaction only: leads past it. */
      direct?: { url: string }
    }
  | { host: string; port: number; user: string; database: string }

/** For what needs a session: LISTEN, locks and settings that outlast a transaction, prepared statements. */
export const directAddress = (address: DatabaseAddress): DatabaseAddress =>
  ('url' in address && address.direct) || address

/** Whether consecutive transactions on a connection may run in different sessions. */
export const isPooled = (address: DatabaseAddress) => 'url' in address && address.direct !== undefined

/** One of the servers that an address names. */
export interface DatabaseHost {
  config: ClientConfig
  /** For messages. */
  name: string
}

/** Which server is the right one: any that accepts connections, or only one that also accepts writes. */
export type WantedSession = 'any' | 'read-write' | 'primary'

interface ReadAddress {
  hosts: DatabaseHost[]
  wanted: WantedSession
  /** To connect to one host, if the address says so (`connect_timeout`). */
  timeoutMs: number | undefined
}

export function readAddress(address: DatabaseAddress): ReadAddress {
  if (!('url' in address)) {
    const name = `${address.host}:${address.port}`
    return { hosts: [{ config: address, name }], wanted: 'any', timeoutMs: undefined }
  }
  const { before, authority, path, parameters } = splitUrl(address.url)
  const given = new URLSearchParams(parameters.join('&'))
  const names = (given.get('host') ?? authority).split(',')
  const ports = given.get('port')?.split(',') ?? []
  // The driver knows neither lists nor the parameters that choose from them.
  const others = parameters.filter((one) => !/^(target_session_attrs|connect_timeout)=/.test(one))
  const urlOf = (name: string, index: number) => {
    if (names.length === 1) return before + authority + path + queryOf(others)
    const port = ports[index] ?? ports[0]
    const rest = others.filter((one) => !/^(host|port)=/.test(one))
    // In the parameters, a host is an address of any kind, or the folder of a socket.
    const query = given.has('host') ? [`host=${encodeURIComponent(name)}`, ...rest] : rest
    const portQuery = port ? [`port=${port}`, ...query] : query
    return before + (given.has('host') ? '' : name) + path + queryOf(portQuery)
  }
  const seconds = Number(given.get('connect_timeout') ?? 0)
  return {
    hosts: names.map((name, index) => ({
      config: { connectionString: withLibpqModes(urlOf(name, index)) },
      name: [name, given.has('host') ? (ports[index] ?? ports[0]) : undefined].filter(Boolean).join(':'),
    })),
    // Bellhop writes, so of several servers it can only use the one that lets it.
    wanted:
      (given.get('target_session_attrs') as WantedSession | null) ??
      (names.length > 1 ? 'read-write' : 'any'),
    timeoutMs: seconds > 0 ? seconds * 1_000 : undefined,
  }
}

/** By hand, because a URL has one host. */
function splitUrl(url: string) {
  const [, before = '', authority = '', path = '', query = ''] =
    /^([a-z]+:\/\/(?:[^/?@]*@)?)([^/?]*)([^?]*)(?:\?(.*))?$/is.exec(url) ?? []
  return { before, authority, path, parameters: query.split('&').filter(Boolean) }
}

const queryOf = (parameters: string[]) => (parameters.length > 0 ? `?${parameters.join('&')}` : '')

/** Otherwise the driver verifies the certificate whatever `sslmode` says, and prints a warning about it. */
function withLibpqModes(url: string): string {
  if (!url.includes('sslmode=') || url.includes('uselibpqcompat=')) return url
  return `${url}&uselibpqcompat=true`
}

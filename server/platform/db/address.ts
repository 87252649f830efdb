import type { ClientConfig } from 'pg'

/** Where PostgreSQL listens: a URL, or the socket directory of the embedded one. */
export type DatabaseAddress = { url: string } | { host: string; port: number; user: string; database: string }

export function clientConfig(address: DatabaseAddress): ClientConfig {
  return 'url' in address ? { connectionString: address.url } : address
}

import type { ClientConfig } from 'pg'

/** Where PostgreSQL listens: a URL, or the socket directory of the embedded one. */
export type DatabaseAddress = { url: string } | { host: string; port: number; user: string; database: string }

export function clientConfig(address: DatabaseAddress): ClientConfig {
  return 'url' in address ? { connectionString: withLibpqModes(address.url) } : address
}

/** Otherwise the driver verifies the certificate whatever `sslmode` says, and prints a warning about it. */
function withLibpqModes(url: string): string {
  if (!url.includes('sslmode=') || url.includes('uselibpqcompat=')) return url
  return `${url}&uselibpqcompat=true`
}

/** Where PostgreSQL listens: a URL, or the socket directory of the embedded one. */
export type DatabaseAddress = { url: string } | { host: string; port: number; user: string; database: string }

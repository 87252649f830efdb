/** A URL that works on this machine, even if we listen on all interfaces. */
export function localUrl({ address, port }: { address: string; port: number }): string {
  const host = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

import { isIP } from 'node:net'

/**
 * Who we are to the caller. Clients compare it with the address they called, so where no address is configured it is
 * that one. Only an IP address and localhost are believed, though: a name could be anybody's that leads here.
 */
export function issuerOf(
  { baseUrl, url }: { baseUrl?: string | undefined; url: string },
  host: string | undefined,
): string {
  if (baseUrl !== undefined) return baseUrl
  const called = `http://${host}`
  return host !== undefined && isOwnHost(host) ? called : url
}

function isOwnHost(host: string): boolean {
  if (!/^[\w.:[\]-]{1,64}$/.test(host) || !URL.canParse(`http://${host}`)) return false
  const { hostname } = new URL(`http://${host}`)
  return hostname === 'localhost' || isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0
}

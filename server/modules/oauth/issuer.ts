import { isIP } from 'node:net'

/**
 * Our issuer URL. Clients compare it with the URL that they used, so that is the default if none is configured. But
 * only IP addresses and localhost are accepted from the Host header: any name could resolve to us.
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

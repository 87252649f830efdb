import type { IncomingMessage } from 'node:http'

export interface Origins {
  /** Our public URL, if configured. */
  baseUrl: string | undefined
  /** Other sites whose pages may connect. */
  allowed: string[]
}

type Check = (request: IncomingMessage) => boolean

/** Browsers send the origin of the page; other programs send none. */
export function originCheck({ baseUrl, allowed }: Origins): Check {
  const isOwnPage = ownPageCheck(baseUrl)
  return (request) => {
    const { origin } = request.headers
    return origin === undefined || allowed.includes(origin) || isOwnPage(request)
  }
}

/**
 * No page of another site, even one that may connect, may use its visitor's cookie. If our URL is not configured, it
 * is the host that the browser connected to.
 */
export function ownPageCheck(baseUrl: string | undefined): Check {
  const own = baseUrl && new URL(baseUrl).origin
  return ({ headers: { origin, host } }) =>
    own ? origin === own : origin === `http://${host}` || origin === `https://${host}`
}

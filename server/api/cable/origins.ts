import type { IncomingMessage } from 'node:http'

export interface Origins {
  /** Where people reach us, if that is known. */
  baseUrl: string | undefined
  /** Other sites whose pages may connect. */
  allowed: string[]
}

type Check = (request: IncomingMessage) => boolean

/** What a browser says about the page counts; other programs say nothing. */
export function originCheck({ baseUrl, allowed }: Origins): Check {
  const isOwnPage = ownPageCheck(baseUrl)
  return (request) => {
    const { origin } = request.headers
    return origin === undefined || allowed.includes(origin) || isOwnPage(request)
  }
}

/**
 * No page of another site, even one that may connect, may do so with its visitor's cookie. Where our own address is
 * not configured, it is the one the browser has connected to.
 */
export function ownPageCheck(baseUrl: string | undefined): Check {
  const own = baseUrl && new URL(baseUrl).origin
  return ({ headers: { origin, host } }) =>
    own ? origin === own : origin === `http://${host}` || origin === `https://${host}`
}

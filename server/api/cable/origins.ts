import type { IncomingMessage } from 'node:http'

export interface Origins {
  /** Where people reach us, if that is known. */
  baseUrl: string | undefined
  /** Other sites whose pages may connect. */
  allowed: string[]
}

/**
 * A page of another site must not connect with its visitor's cookie, so what a browser says about the page counts;
 * other programs say nothing. Where our own address is not configured, it is the one the browser has connected to.
 */
export function originCheck({ baseUrl, allowed }: Origins): (request: IncomingMessage) => boolean {
  const known = new Set(allowed)
  if (baseUrl) known.add(new URL(baseUrl).origin)
  return ({ headers: { origin, host } }) =>
    origin === undefined ||
    known.has(origin) ||
    (!baseUrl && (origin === `http://${host}` || origin === `https://${host}`))
}

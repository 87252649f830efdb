import type { IncomingHttpHeaders } from 'node:http'

import type { Html } from './html.ts'
import type { Reader } from './reader.ts'

/** What a browser sends, before anything is known about who sits at it. */
export interface PageRequest {
  method: Page['method']
  /** The path and query as they were asked for. */
  url: string
  params: Record<string, string>
  query: URLSearchParams
  /** Empty unless a form was sent. */
  form: URLSearchParams
  headers: IncomingHttpHeaders
  /** Where the browser is, as an IP address. */
  address: string
  reader: Reader
}

export interface PageReply {
  status: number
  html?: Html
  headers: Record<string, string>
  /** Values of Set-Cookie. */
  cookies: string[]
  /** Origins or schemes, beside our own, where sending a form of this page may lead in the end. */
  formTargets: string[]
}

/**
 * A page that people see, or a form they send; the path stands outside of /api/v1. A POST arrives here only from a
 * page of our own origin.
 */
export interface Page {
  method: 'GET' | 'POST'
  path: string
  handle(request: PageRequest): Promise<PageReply>
}

export function show(html: Html, reply: Partial<Omit<PageReply, 'html'>> = {}): PageReply {
  return { status: 200, headers: {}, cookies: [], formTargets: [], ...reply, html }
}

/** After a form: the browser asks for the next page with GET. */
export function redirectTo(location: string, { cookies = [] }: { cookies?: string[] } = {}): PageReply {
  return { status: 303, headers: { location }, cookies, formTargets: [] }
}

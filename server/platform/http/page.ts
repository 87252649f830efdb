import type { IncomingHttpHeaders } from 'node:http'

import type { Html } from './html.ts'
import type { ViewerPreferences } from './viewer-preferences.ts'

/** A browser's request, before the employee is known. */
export interface PageRequest {
  method: Page['method']
  /** The requested path and query. */
  url: string
  params: Record<string, string>
  query: URLSearchParams
  /** Empty unless a form was submitted. */
  form: URLSearchParams
  headers: IncomingHttpHeaders
  /** The IP address of the browser. */
  address: string
  reader: ViewerPreferences
}

export interface PageReply {
  status: number
  html?: Html
  /** Instead of a page. */
  file?: { type: string; text: string }
  headers: Record<string, string>
  /** Values of Set-Cookie. */
  cookies: string[]
  /** Origins or schemes, beside our own, to which a form of this page may lead. */
  formTargets: string[]
}

/**
 * A page, or the handler of a form; the path is outside of /api/v1. A POST is accepted only from a page of our own
 * origin.
 */
export interface Page {
  method: 'GET' | 'POST'
  path: string
  handle(request: PageRequest): Promise<PageReply>
}

export function show(html: Html, reply: Partial<Omit<PageReply, 'html'>> = {}): PageReply {
  return { status: 200, headers: {}, cookies: [], formTargets: [], ...reply, html }
}

/** After a form: the browser gets the next page. */
export function redirectTo(location: string, { cookies = [] }: { cookies?: string[] } = {}): PageReply {
  return { status: 303, headers: { location }, cookies, formTargets: [] }
}

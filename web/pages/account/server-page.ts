import { queryOptions } from '@tanstack/react-query'

import { fetchFromService } from '../../connection/reachability.ts'
import { sessionIsMissing } from '../../connection/signed-out.ts'

/** A page that the server renders, read by this one. */
export interface ServerPage {
  /** Where the server has led us, with its query. */
  href: string
  title: string
  /** The content, and the links to the other pages of the account. */
  parts: Element[]
}

export const ACCOUNT = /^\/account(\/|$)/

export const isAccountPath = ({ origin, pathname }: URL) =>
  origin === window.location.origin && ACCOUNT.test(pathname)

export const serverPageQuery = (href: string) =>
  queryOptions({
    queryKey: ['account', href],
    queryFn: () => readServerPage(new Request(href)),
    // It is read when it is opened; a refetch would empty a form that is being filled in.
    staleTime: Infinity,
    gcTime: 0,
  })

/** Follows redirects, as a browser does. */
export async function readServerPage(request: Request): Promise<ServerPage> {
  const response = await fetchFromService(request)
  const url = new URL(response.url)
  if (!isAccountPath(url)) leave(url)
  const { title, body } = new DOMParser().parseFromString(await response.text(), 'text/html')
  const nav = body.querySelector('nav')
  const main = body.querySelector('main')
  if (!main) throw new Error(`${url.pathname} responded with ${response.status}`)
  return {
    href: url.pathname + url.search,
    title: title.replace(/ · Bellhop$/, ''),
    parts: [...(nav ? [withoutDashboardLink(nav)] : []), asSection(main)],
  }
}

/** The session has ended, or the page leads out of the account. */
function leave(url: URL): never {
  if (url.pathname === '/sign-in') sessionIsMissing()
  else window.location.assign(url)
  throw new Error(`led to ${url.pathname}`)
}

/** We are in the dashboard already. */
function withoutDashboardLink(nav: Element): Element {
  nav.querySelector('a[href="/"]')?.closest('li')?.remove()
  return nav
}

/** The dashboard has a main element of its own. */
function asSection(main: Element): Element {
  const section = document.createElement('div')
  section.className = main.className
  section.append(...main.childNodes)
  return section
}

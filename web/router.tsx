import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'

import { untilReachable } from './connection/reachability.ts'
import { BrokenPage, NotFoundPage } from './shell/error-pages.tsx'
import { PageLoading } from './shell/page-loading.tsx'
import { Shell } from './shell/shell.tsx'

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFoundPage,
  errorComponent: BrokenPage,
})

const route = <Path extends string>(path: Path, load: Parameters<typeof lazyRouteComponent>[0]) =>
  createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(() => loadPage(load)) })

/** A page that is first opened while the service cannot be reached is loaded when it can. */
async function loadPage<Page>(load: () => Promise<Page>): Promise<Page> {
  try {
    return await load()
  } catch {
    await untilReachable()
    return load()
  }
}

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/inbox', replace: true })
  },
})

/** The server serves the dashboard at these paths: server/api/browser/dashboard.ts lists their prefixes. */
const pages = [
  // One route, so that the list keeps its position and filters when a thread is opened.
  route('/inbox/{-$phone}', () => import('./pages/inbox/inbox-page.tsx')),
  route('/calls', () => import('./pages/calls/calls-page.tsx')),
  route('/calls/$id', () => import('./pages/calls/call-page.tsx')),
  route('/voicemails', () => import('./pages/voicemails/voicemails-page.tsx')),
  route('/contacts', () => import('./pages/contacts/contacts-page.tsx')),
  route('/contacts/doubles', () => import('./pages/contacts/doubles-page.tsx')),
  route('/live', () => import('./pages/live/live-page.tsx')),
  route('/employees', () => import('./pages/employees/employees-page.tsx')),
  route('/numbers', () => import('./pages/numbers/numbers-page.tsx')),
  route('/numbers/$id', () => import('./pages/numbers/number-page.tsx')),
  route('/texting', () => import('./pages/texting/texting-page.tsx')),
  route('/snippets', () => import('./pages/snippets/snippets-page.tsx')),
  route('/webhooks', () => import('./pages/webhooks/webhooks-page.tsx')),
  route('/webhooks/$id', () => import('./pages/webhooks/webhook-page.tsx')),
  route('/trunks', () => import('./pages/trunks/trunks-page.tsx')),
  route('/company', () => import('./pages/company/company-page.tsx')),
  route('/account', () => import('./pages/account/account-page.tsx')),
  route('/account/$', () => import('./pages/account/account-page.tsx')),
]

export const router = createRouter({
  routeTree: root.addChildren([home, ...pages]),
  // Phone numbers appear in URLs with their plus.
  pathParamsAllowedCharacters: ['+'],
  defaultPreload: 'intent',
  defaultPendingComponent: PageLoading,
  scrollRestoration: true,
})

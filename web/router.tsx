import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'

import { BrokenPage, NotFoundPage } from './shell/lost.tsx'
import { Shell } from './shell/shell.tsx'

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFoundPage,
  errorComponent: BrokenPage,
})

const route = <Path extends string>(path: Path, load: Parameters<typeof lazyRouteComponent>[0]) =>
  createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load) })

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/inbox', replace: true })
  },
})

/** The server answers these paths with the dashboard: server/api/dashboard.ts lists their beginnings. */
const pages = [
  route('/inbox', () => import('./pages/inbox/inbox-page.tsx')),
  route('/inbox/$phone', () => import('./pages/inbox/inbox-page.tsx')),
]

export const router = createRouter({
  routeTree: root.addChildren([home, ...pages]),
  defaultPreload: 'intent',
  scrollRestoration: true,
})

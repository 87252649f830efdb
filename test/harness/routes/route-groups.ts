import type { Route } from '../../../server/platform/http/route.ts'
import { declaredRoutes } from './routes.ts'

/**
 * The tests of all routes have a file for each group, so that groups run in parallel. A group lists beginnings of paths
 * and has about as many routes as the others. test/routes.test.ts fails for a route in no group, and for a group
 * without files.
 */
export const ROUTE_GROUPS = {
  people: [
    'session',
    'company',
    'contacts',
    'employees',
    'extensions',
    'favourites',
    'onboarding',
    'softphone_credentials',
  ],
  'business-numbers': ['business_numbers'],
  'main-numbers': ['main_numbers'],
  calls: ['calls', 'caller_context', 'simulator', 'simulated_calls', 'simulated_texts'],
  inbox: ['inbox', 'activity', 'messages', 'voicemails', 'text_snippets'],
  integrations: ['integrations', 'webhooks', 'trunks', 'push_settings', 'push_subscriptions'],
}

export type RouteGroup = keyof typeof ROUTE_GROUPS

export const beginningOf = ({ path }: Route) => path.split('/')[1]!

export const routesIn = (group: RouteGroup): Route[] =>
  declaredRoutes().filter((route) => ROUTE_GROUPS[group].includes(beginningOf(route)))

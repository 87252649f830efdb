import type { OpenFlow } from './core.ts'

/** A host or phone at which a call may be placed. */
export interface CallRoute {
  /** The Request-URI. */
  uri: string
  /** Route header fields, from a Path. */
  path: string[]
  /** A host name may have several servers. */
  ways(): Promise<OpenFlow[]>
  /** See `Dialog`. */
  staysOnFlow: boolean
}

/** A route with one of its flows. */
export interface RouteAttempt {
  route: CallRoute
  open: OpenFlow
}

/** Routes and their servers in turn; a name is resolved only when its turn comes. */
export class CallRoutes {
  readonly #routes: CallRoute[]
  #ways: RouteAttempt[] = []

  constructor(routes: CallRoute[]) {
    this.#routes = [...routes]
  }

  get hasMore(): boolean {
    return this.#routes.length + this.#ways.length > 0
  }

  async next(): Promise<RouteAttempt | undefined> {
    for (;;) {
      const way = this.#ways.shift()
      const route = way ? undefined : this.#routes.shift()
      if (!route) return way
      // A route whose name cannot be resolved leads nowhere, and the next one is tried.
      const ways = await route.ways().catch(() => [])
      this.#ways = ways.map((open) => ({ route, open }))
    }
  }
}

import type { OpenFlow } from './core.ts'

/** A host or phone at which a call may be placed. */
export interface CallRoute {
  /** The Request-URI. */
  uri: string
  /** Route header fields, from a Path. */
  path: string[]
  /** A host name may have several servers. */
  flows(): Promise<OpenFlow[]>
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
  #attempts: RouteAttempt[] = []

  constructor(routes: CallRoute[]) {
    this.#routes = [...routes]
  }

  get hasMore(): boolean {
    return this.#routes.length + this.#attempts.length > 0
  }

  async next(): Promise<RouteAttempt | undefined> {
    for (;;) {
      const attempt = this.#attempts.shift()
      const route = attempt ? undefined : this.#routes.shift()
      if (!route) return attempt
      // A route whose name cannot be resolved leads nowhere, and the next one is tried.
      const flows = await route.flows().catch(() => [])
      this.#attempts = flows.map((open) => ({ route, open }))
    }
  }
}

import type { Way } from './core.ts'

/** One host or phone at which a call may be placed. */
export interface Route {
  /** The Request-URI. */
  uri: string
  /** Route header fields, as a Path made them. */
  path: string[]
  /** A host's name may stand for several servers. */
  ways(): Promise<Way[]>
  /** See `Dialog`. */
  staysOnFlow: boolean
}

/** A route by one of its ways. */
export interface Attempted {
  route: Route
  open: Way
}

/** Routes and their ways in turn; what a name stands for is looked up when its turn comes. */
export class Routes {
  readonly #routes: Route[]
  #ways: Attempted[] = []

  constructor(routes: Route[]) {
    this.#routes = [...routes]
  }

  get hasMore(): boolean {
    return this.#routes.length + this.#ways.length > 0
  }

  async next(): Promise<Attempted | undefined> {
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

import { setTimeout as pause } from 'node:timers/promises'

import { Agent, fetch, type RequestInit } from 'undici'

import type { Role } from '../../chaos/environment/role.ts'
import type { Person } from './seed.ts'

const LIMITS = { lookMs: 100, proxyConnections: 100 }

/** What a dashboard reads when its channel is back. */
const PAGES = ['/inbox', '/employees', '/activity/unseen']

/** Requests to the API, and their outcomes. */
export function createReads(api: Role) {
  const counts: Record<string, number> = {}
  const underWay = new Set<symbol>()
  // As a reverse proxy does, which keeps a few connections.
  const dispatcher = new Agent({ connections: LIMITS.proxyConnections })
  async function ask({ key }: Person, path: string, init: RequestInit = {}): Promise<void> {
    const request = Symbol(path)
    underWay.add(request)
    let outcome: string
    try {
      const response = await fetch(`http://${api.address}/api/v1${path}`, {
        ...init,
        dispatcher,
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
      })
      await response.arrayBuffer()
      outcome = String(response.status)
    } catch (error) {
      outcome = String((error as Error).cause ?? error)
    } finally {
      underWay.delete(request)
    }
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return {
    counts,
    ask,
    readAll: (person: Person) => PAGES.forEach((path) => void ask(person, path)),
    async settled() {
      while (underWay.size > 0) await pause(LIMITS.lookMs)
    },
  }
}

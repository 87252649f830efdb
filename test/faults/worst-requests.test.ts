import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'

import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import type { Route } from '../../server/platform/http/route.ts'
import { send } from '../harness/api-client.ts'
import { type Harness, harness, type TestCompany } from '../harness/index.ts'
import { oauthApplication } from '../harness/peers/oauth.ts'
import type { Service } from '../harness/processes/bellhop-process.ts'
import { startRoleProcess } from '../harness/processes/edge-process.ts'
import { declaredRoutes, pathOf } from '../harness/routes/routes.ts'
import {
  type Request,
  worstFor,
  worstRequests,
  worstRequestsToRoute,
} from '../harness/routes/worst-requests.ts'

vi.setConfig({ testTimeout: 900_000 })

const LIMITS = { blockedMs: 250, tries: 3 }

/** Providers whose callbacks are accepted, so that these are covered too. */
const PROVIDERS = {
  TELNYX_API_KEY: 'key',
  TELNYX_PUBLIC_KEY: `${'A'.repeat(43)}=`,
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: 'token',
}

interface Served {
  method: string
  url: string
}

const served: Served[] = []
const routes = declaredRoutes()
/** Methods of the API whose bodies have been sent in all forms. */
const read = new Set<string>()
let bellhop: Harness
let company: TestCompany
let api: Service

/** Every route that is served, as registered with the framework. */
function noteRoutes(message: unknown): void {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', ({ method, url }) => {
    // The handler of GET also serves HEAD.
    for (const each of [method].flat()) if (each !== 'HEAD') served.push({ method: each, url })
  })
}

beforeAll(async () => {
  subscribe('fastify.initialization', noteRoutes)
  bellhop = await harness(PROVIDERS)
  unsubscribe('fastify.initialization', noteRoutes)
  company = await bellhop.newCompany({ messaging: true })
  api = await startRoleProcess('api', bellhop.db.address, {
    BELLHOP_DATA_DIR: bellhop.dataDir,
    LOG_LEVEL: 'warn',
    ...PROVIDERS,
  })
})

afterAll(() => api.signal('SIGKILL'))

/**
 * The CPU time of the event-loop thread, in milliseconds: time that a busy machine gives to others does not count, and
 * the loop was never blocked for longer than this.
 */
function processorMs(): number {
  const [nanoseconds] = readFileSync(`/proc/${api.pid}/task/${api.pid}/schedstat`, 'utf8').split(' ')
  return Number(nanoseconds) / 1_000_000
}

/** Pages use the session; one is for programs. */
const credentialFor = async (url: string): Promise<Record<string, string>> =>
  url === '/mcp'
    ? { 'x-api-key': company.key, accept: 'application/json, text/event-stream' }
    : { cookie: await oauthApplication(bellhop).signIn(company) }

/** Older names lead to the same code. Synthesis takes seconds each time, in another process: once is enough. */
function requestsFor(route: Route): Request[] {
  if (route.deprecated) return []
  const requests = worstFor(route)
  if (!route.path.endsWith('/voice_previews')) return requests
  return requests.filter(({ what }) => !what.endsWith(' to its limits') || what.includes('"é"'))
}

/** Where to send the requests, as whom, and which. */
async function planFor({ method, url }: Served) {
  const route = routes.find((each) => each.method === method && `/api/v1${each.path}` === url)
  if (!route) {
    const path = url.replace(':provider', 'twilio').replace(/:\w+|\*/g, 'x')
    return { path, headers: await credentialFor(url), requests: worstRequests(method) }
  }
  // The body parser is the same for all routes of the API.
  const requests = read.has(method) ? worstRequestsToRoute(method) : worstRequests(method)
  read.add(method)
  // A separate one, because a company may have only a few of some things.
  const owner = await bellhop.newCompany({ messaging: true })
  const path = `/api/v1${(await pathOf(route, owner)).split('?')[0]!}`
  return { path, headers: { 'x-api-key': owner.key }, requests: [...requests, ...requestsFor(route)] }
}

/** The minimum of several runs: compilation and garbage collection happen at any time, but not in each run. */
async function measure(path: string, method: string, { query, ...request }: Request): Promise<number> {
  const address = `${api.url}${path}${query === undefined ? '' : `?${query}`}`
  const headers = { 'accept-encoding': 'gzip, br', ...request.headers }
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < LIMITS.tries && least > LIMITS.blockedMs; attempt++) {
    const before = processorMs()
    // A connection may be closed while it still sends a request that is far too long.
    await send(address, { method, body: request.body, headers }).catch(() => {})
    least = Math.min(least, processorMs() - before)
  }
  return least
}

test('no request that is accepted blocks the event loop', async () => {
  expect(served.length).toBeGreaterThan(routes.length)
  const slow: string[] = []
  for (const each of served) {
    const { path, headers, requests } = await planFor(each)
    for (const request of requests) {
      const ms = await measure(path, each.method, { ...request, headers: { ...headers, ...request.headers } })
      if (ms > LIMITS.blockedMs)
        slow.push(`${each.method} ${each.url}, ${request.what}: ${Math.round(ms)} ms`)
    }
  }
  expect(slow).toEqual([])
})

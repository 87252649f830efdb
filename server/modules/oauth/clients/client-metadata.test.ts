import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { afterFile } from '../../../../test/harness/after-file.ts'
import { type Harness, harness, type TestCompany } from '../../../../test/harness/index.ts'
import { oauthApplication, PATIENTLY, REDIRECT_URI } from '../../../../test/harness/peers/oauth.ts'
import { OAUTH_LIMITS } from '../limits.ts'

/** Applications with Client ID Metadata Documents, on this machine. */
let bellhop: Harness
let company: TestCompany
let app: ReturnType<typeof oauthApplication>
let cookie: string
let host: Awaited<ReturnType<typeof startHost>>

beforeAll(async () => {
  bellhop = await harness({ BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' })
  company = await bellhop.newCompany()
  app = oauthApplication(bellhop)
  cookie = await app.signIn(company)
  host = await startHost()
})

beforeEach(() => {
  host.asked.length = 0
  // Documents and rate limits of one test must not affect the next.
  bellhop.clock.advance(10 * 60_000)
})

async function startHost() {
  const asked: string[] = []
  let connections = 0
  const answers = new Map<string, (response: ServerResponse) => void>()
  const server = createServer((request: IncomingMessage, response) => {
    asked.push(request.url!)
    const answer = answers.get(request.url!)
    if (answer) answer(response)
    else response.writeHead(404).end()
  })
  server.on('connection', () => connections++)
  await new Promise<void>((resolve) => server.listen(0, resolve))
  afterFile(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    asked,
    connections: () => connections,
    serve: (path: string, answer: (response: ServerResponse) => void) => answers.set(path, answer),
  }
}

let serial = 0
/** The client id of an application whose document is a valid one, modified by `change`. */
function describeApplication(change: (good: Record<string, unknown>) => unknown = (good) => good): string {
  const path = `/clients/${++serial}.json`
  const clientId = `${host.origin}${path}`
  const good = {
    client_id: clientId,
    client_name: 'Sundial',
    redirect_uris: [REDIRECT_URI],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  }
  host.serve(path, (response) => sendJson(response, change(good)))
  return clientId
}

const sendJson = (response: ServerResponse, body: unknown) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))

const visit = (clientId: string, { from, at = bellhop.url }: { from?: string; at?: string } = {}) =>
  fetch(app.authorizeUrl(clientId).replace(bellhop.url, at), {
    // As set by a proxy on this machine.
    headers: { cookie, ...(from && { 'x-forwarded-for': from }) },
    redirect: 'manual',
  })

async function expectUnknown(clientId: string) {
  const response = await visit(clientId)
  expect(response.status).toBe(401)
  expect(await response.text()).toContain('<code>invalid_client</code>')
}

describe('an application with its own document', () => {
  test('needs no registration, and is identified by the host of its document', async () => {
    const clientId = describeApplication()
    const text = await (await visit(clientId)).text()
    expect(text).toContain('Sundial')
    expect(text).toContain(`describes itself at ${new URL(clientId).host}`)
    const { body, status } = await app.redeem(clientId, await app.newCode(clientId, company))
    expect(status).toBe(200)
    expect(await app.statusWith(body.access_token)).toBe(200)
    const next = await app.refresh(clientId, body.refresh_token)
    expect(next.status).toBe(200)
    await app.revoke(clientId, next.body.access_token)
    await expect.poll(() => app.statusWith(next.body.access_token), PATIENTLY).toBe(401)
  })

  test('may omit its name', async () => {
    const clientId = describeApplication((good) => ({ ...good, client_name: undefined }))
    expect(await (await visit(clientId)).text()).toContain(`<strong>${new URL(clientId).host}</strong>`)
  })

  test('is not fetched again at each step, but after a while, and then the new document counts', async () => {
    let uris = [REDIRECT_URI]
    const clientId = describeApplication((good) => ({ ...good, redirect_uris: uris }))
    await app.newCode(clientId, company)
    expect(host.asked).toHaveLength(1)
    uris = ['https://moved.example/callback']
    expect((await visit(clientId)).status).toBe(200)
    bellhop.clock.advance(5 * 60_000)
    expect((await visit(clientId)).status).toBe(400)
    expect(host.asked).toHaveLength(2)
  })

  test('is fetched on a connection that is not kept', async () => {
    const clientId = describeApplication()
    const kept: unknown[] = []
    host.serve(new URL(clientId).pathname, (response) => {
      kept.push(response.req.headers.connection)
      sendJson(response, { client_id: clientId, redirect_uris: [REDIRECT_URI] })
    })
    expect((await visit(clientId)).status).toBe(200)
    expect(kept).toEqual(['close'])
  })

  test('that has removed its document is unknown', async () => {
    const clientId = describeApplication()
    expect((await visit(clientId)).status).toBe(200)
    host.serve(new URL(clientId).pathname, (response) => response.writeHead(404).end())
    bellhop.clock.advance(5 * 60_000)
    await expectUnknown(clientId)
  })
})

describe('a document is ignored', () => {
  test.each<[string, (good: Record<string, unknown>) => unknown]>([
    ['of another client', (good) => ({ ...good, client_id: `${String(good['client_id'])}?` })],
    ['without a client_id', (good) => ({ ...good, client_id: undefined })],
    ['without redirect URIs', (good) => ({ ...good, redirect_uris: undefined })],
    ['with an empty list of redirect URIs', (good) => ({ ...good, redirect_uris: [] })],
    ['with a custom scheme', (good) => ({ ...good, redirect_uris: [REDIRECT_URI, 'myapp://callback'] })],
    ['with a script', (good) => ({ ...good, redirect_uris: [REDIRECT_URI, 'javascript:alert(1)'] })],
    ['with a secret', (good) => ({ ...good, client_secret: 'x' })],
    ['of a client with a secret', (good) => ({ ...good, token_endpoint_auth_method: 'client_secret_basic' })],
    ['with a long name', (good) => ({ ...good, client_name: 'x'.repeat(129) })],
    ['that is a list', (good) => [good]],
    ['that is null', () => null],
    ['that is large', (good) => ({ ...good, filler: 'x'.repeat(70_000) })],
  ])('%s', async (_, change) => {
    await expectUnknown(describeApplication(change))
    expect(host.asked).toHaveLength(1)
  })

  test.each<[string, (response: ServerResponse, good: string, target: string) => void]>([
    ['with an error', (response, good) => response.writeHead(500, JSON_TYPE).end(good)],
    ['as HTML', (response, good) => response.writeHead(200, { 'content-type': 'text/html' }).end(good)],
    ['that is not JSON', (response) => response.writeHead(200, JSON_TYPE).end('{')],
    ['elsewhere', (response, _, target) => response.writeHead(302, { location: target }).end()],
    ['that is truncated', (response, good) => breakOff(response, good)],
  ])('when it comes %s', async (_, answer) => {
    const target = describeApplication()
    const path = `/answers/${++serial}.json`
    const clientId = `${host.origin}${path}`
    const good = JSON.stringify({ client_id: clientId, redirect_uris: [REDIRECT_URI] })
    host.serve(path, (response) => answer(response, good, target))
    await expectUnknown(clientId)
    expect(host.asked).toEqual([path])
  })

  test('when it does not arrive in time', async () => {
    const path = `/answers/${++serial}.json`
    const asked = new Promise<void>((resolve) => host.serve(path, () => resolve()))
    const visited = visit(`${host.origin}${path}`)
    await asked
    bellhop.clock.advance(5_000)
    expect((await visited).status).toBe(401)
  })

  test.each(['/', '/a#fragment', '/a/../b', '/%7ea/./b'])('at a URL of the form %s', async (path) => {
    const clientId = `${host.origin}${path}`
    host.serve(path, (response) => sendJson(response, { client_id: clientId, redirect_uris: [REDIRECT_URI] }))
    await expectUnknown(clientId)
    expect(host.asked).toEqual([])
  })

  test('after sixty fetches from its host within a minute', async () => {
    const clientIds = Array.from({ length: 62 }, () => describeApplication())
    const statuses = await Promise.all(clientIds.map(async (clientId) => (await visit(clientId)).status))
    expect(statuses.filter((status) => status === 200)).toHaveLength(60)
    expect(statuses.filter((status) => status === 401)).toHaveLength(2)
    expect(host.asked).toHaveLength(60)
    bellhop.clock.advance(60_000)
    expect((await visit(describeApplication())).status).toBe(200)
  })
})

/** The same document at another host: all of 127.0.0.0/8 is this machine. */
const onHost = (clientId: string, n: number) =>
  clientId.replace('127.0.0.1', `127.0.${(n >> 8) + 1}.${n & 255}`)

/** Ways in which a host is unavailable, which says nothing about the document. */
const AWAY: [string, (response: ServerResponse) => void][] = [
  ['responds with 503', (response) => response.writeHead(503).end()],
  ['responds with 429', (response) => response.writeHead(429).end()],
  ['cuts the connection', (response) => response.destroy()],
  ['sends a truncated response', (response) => breakOff(response, '{"client_id":')],
]

const DAY_MS = 24 * 60 * 60_000

describe('a cached copy of a document', () => {
  test.each(AWAY)('still counts when the host %s, at every process', async (_, answer) => {
    const clientId = describeApplication()
    const elsewhere = await bellhop.startAnotherApi()
    expect((await visit(clientId)).status).toBe(200)
    host.serve(new URL(clientId).pathname, answer)
    bellhop.clock.advance(DAY_MS)
    expect((await visit(clientId)).status).toBe(200)
    expect((await visit(clientId, { at: elsewhere })).status).toBe(200)
  })

  test('still counts when the host does not respond in time', async () => {
    const clientId = describeApplication()
    expect((await visit(clientId)).status).toBe(200)
    const asked = new Promise<void>((resolve) => host.serve(new URL(clientId).pathname, () => resolve()))
    bellhop.clock.advance(DAY_MS)
    const visited = visit(clientId)
    await asked
    bellhop.clock.advance(5_000)
    expect((await visited).status).toBe(200)
  })

  test('counts for a week, and then no longer', async () => {
    const clientId = describeApplication()
    await app.newCode(clientId, company)
    host.serve(new URL(clientId).pathname, AWAY[0]![1])
    bellhop.clock.advance(7 * DAY_MS - 60_000)
    cookie = await app.signIn(company)
    expect((await visit(clientId)).status).toBe(200)
    bellhop.clock.advance(60_000)
    await expectUnknown(clientId)
  })

  test('no longer counts once the application has removed its document, even if the host is unavailable later', async () => {
    const clientId = describeApplication()
    expect((await visit(clientId)).status).toBe(200)
    const { pathname } = new URL(clientId)
    host.serve(pathname, (response) => response.writeHead(404).end())
    bellhop.clock.advance(5 * 60_000)
    await expectUnknown(clientId)
    host.serve(pathname, AWAY[0]![1])
    await expectUnknown(clientId)
  })
})

describe('requests that make us fetch arbitrary documents', () => {
  test('do not use up the budget of other hosts', async () => {
    const theirs = onHost(describeApplication(), 1)
    await Promise.all(Array.from({ length: 80 }, (_, n) => visit(`${theirs}?${n}`)))
    // Unknown until now, and requested from the same address.
    expect((await visit(describeApplication())).status).toBe(200)
  })

  test('are limited by their source, without affecting others, whatever hosts they name', async () => {
    const path = describeApplication()
    const from = '203.0.113.7'
    const attempts = Array.from({ length: OAUTH_LIMITS.documentsOfNetwork + 10 }, (_, n) => onHost(path, n))
    for (let at = 0; at < attempts.length; at += 50)
      await Promise.all(attempts.slice(at, at + 50).map((clientId) => visit(clientId, { from })))
    expect(host.asked).toHaveLength(OAUTH_LIMITS.documentsOfNetwork)
    expect((await visit(describeApplication(), { from })).status).toBe(401)
    expect((await visit(describeApplication(), { from: '198.51.100.1' })).status).toBe(200)
    bellhop.clock.advance(60_000)
    expect((await visit(describeApplication(), { from })).status).toBe(200)
  })

  test('do not prevent an application in use from being fetched', async () => {
    let uris = [REDIRECT_URI]
    const clientId = describeApplication((good) => ({ ...good, redirect_uris: uris }))
    await app.newCode(clientId, company)
    bellhop.clock.advance(5 * 60_000)
    const { origin } = new URL(clientId)
    await Promise.all(Array.from({ length: 80 }, (_, n) => visit(`${origin}/nothing/${n}`)))
    // The new document counts, so it was fetched despite them.
    uris = ['https://moved.example/callback']
    expect((await visit(clientId)).status).toBe(400)
  })

  test('fetch a document once, however many arrive at once', async () => {
    const clientId = describeApplication()
    const answers = await Promise.all(Array.from({ length: 20 }, () => visit(clientId)))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(host.asked).toHaveLength(1)
  })
})

const JSON_TYPE = { 'content-type': 'application/json' }

function breakOff(response: ServerResponse, good: string): void {
  response.writeHead(200, { ...JSON_TYPE, 'content-length': String(good.length + 1) })
  response.write(good, () => response.destroy())
}

describe('without the development setting', () => {
  let strict: Harness
  let strictApp: ReturnType<typeof oauthApplication>

  beforeAll(async () => {
    strict = await harness()
    strictApp = oauthApplication(strict)
  })

  test('nothing is fetched from this machine, its network or by http', async () => {
    const { port } = new URL(host.origin)
    const before = host.connections()
    for (const clientId of [
      describeApplication(),
      `https://127.0.0.1:${port}/client.json`,
      `https://localhost:${port}/client.json`,
      `https://[::1]:${port}/client.json`,
      `https://[::ffff:7f00:1]:${port}/client.json`,
      'https://10.0.0.1/client.json',
      'https://169.254.169.254/latest/meta-data',
    ]) {
      const response = await fetch(strictApp.authorizeUrl(clientId), { redirect: 'manual' })
      expect({ clientId, status: response.status }).toEqual({ clientId, status: 401 })
    }
    // There was not even a connection on which TLS could fail.
    expect(host.connections()).toBe(before)
    const [row] = await strict.db.sql`select count(*)::int as count from oauth_clients`
    expect(row!['count']).toBe(0)
  })
})

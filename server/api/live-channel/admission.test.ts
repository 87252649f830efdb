import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'

import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'

import { type Harness, harness, type TestCompany } from '../../../test/harness/index.ts'
import { DEADLINE, openCable, openSocket, PROTOCOL } from '../../../test/harness/peers/cable-socket.ts'
import { oauthApplication } from '../../../test/harness/peers/oauth.ts'
import { LIVE_CHANNEL_LIMITS } from './limits.ts'

let bellhop: Harness
let company: TestCompany

beforeAll(async () => {
  bellhop = await harness()
})

beforeEach(async () => {
  company = await bellhop.newCompany()
})

const WELCOME = { type: 'welcome' }
const UNAUTHORIZED = { type: 'disconnect', reason: 'unauthorized', reconnect: false }
const INVALID = { type: 'disconnect', reason: 'invalid_request', reconnect: false }

/** The status and body with which an upgrade is refused. */
async function refusalOf(url: string, protocols: string[] = [PROTOCOL]) {
  const socket = new WebSocket(url.replace('http', 'ws'), protocols, {
    headers: { 'x-api-key': company.key },
  })
  const [, response] = await once(socket, 'unexpected-response')
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  socket.on('error', () => {}).terminate()
  return { status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) }
}

/** Whether an upgrade is accepted, or the response in place of it. */
function outcomeOf(url: string): Promise<'admitted' | IncomingMessage> {
  const socket = new WebSocket(url.replace('http', 'ws'), PROTOCOL, { headers: { 'x-api-key': company.key } })
  onTestFinished(() => socket.on('error', () => {}).terminate())
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve('admitted'))
    socket.on('unexpected-response', (_, response) => resolve(response))
    socket.on('error', reject)
  })
}

describe('a client is admitted', () => {
  const places: [
    where: string,
    given: (key: string) => { path?: string; headers?: Record<string, string> },
  ][] = [
    ['the header X-Api-Key', (key) => ({ headers: { 'x-api-key': key } })],
    ['a bearer token', (key) => ({ headers: { authorization: `Bearer ${key}` } })],
  ]
  const inTheUrl: typeof places = [
    ['access_token in the query', (token) => ({ path: `/cable?access_token=${token}` })],
    ['access_token among others', (token) => ({ path: `/cable?a=%&access_token=${token}&b=` })],
  ]

  test.each(places)('with its key as %s', async (_, given) => {
    const cable = await openSocket(bellhop.url, given(company.key))
    await cable.frame(WELCOME)
    await cable.subscribe()
    expect(cable.socket.protocol).toBe(PROTOCOL)
  })

  test.each(inTheUrl)('with an access token, and not with its key, as %s', async (_, given) => {
    const { accessToken } = await oauthApplication(bellhop).newTokens(company)
    const cable = await openSocket(bellhop.url, given(accessToken))
    await cable.subscribe()
    const refused = await openSocket(bellhop.url, given(company.key))
    expect(await refused.closed).toEqual({ code: 1008, reason: 'unauthorized' })
    expect(refused.frames).toEqual([UNAUTHORIZED])
  })

  test.each([...places, ...inTheUrl])(
    'not with a wrong key as %s: the reason follows after the upgrade',
    async (_, given) => {
      const wrong = company.key.slice(0, -43) + 'A'.repeat(43)
      for (const key of [wrong, 'x', 'bh_', encodeURIComponent('nøgle'), 'x'.repeat(4_000)]) {
        const cable = await openSocket(bellhop.url, given(key))
        expect(await cable.closed).toEqual({ code: 1008, reason: 'unauthorized' })
        expect(cable.frames).toEqual([UNAUTHORIZED])
      }
    },
  )

  test('not without a key', async () => {
    const cable = await openSocket(bellhop.url)
    await cable.closed
    expect(cable.frames).toEqual([UNAUTHORIZED])
  })

  test('not with a wrong credential in a header and the right one in the query', async () => {
    const { accessToken } = await oauthApplication(bellhop).newTokens(company)
    const path = `/cable?access_token=${accessToken}`
    const wrong: [string, string][] = [
      ['x-api-key', 'wrong'],
      ['authorization', 'Bearer wrong'],
      ['authorization', ''],
    ]
    for (const [name, value] of wrong) {
      const cable = await openSocket(bellhop.url, { path, headers: { [name]: value } })
      await cable.closed
      expect(cable.frames).toEqual([UNAUTHORIZED])
    }
  })

  test('and its credential is never in the log', async () => {
    const { accessToken } = await oauthApplication(bellhop).newTokens(company)
    const before = bellhop.logged.length
    await openCable(bellhop.url, { path: `/cable?access_token=${accessToken}` })
    for (const credential of [accessToken, company.key]) {
      const path = `/cable?access_token=${credential}`
      await fetch(bellhop.url + path)
      await refusalOf(bellhop.url + path, ['graphql-ws'])
      await refusalOf(`${bellhop.url}/other?access_token=${credential}`)
    }
    expect(bellhop.logged.length).toBeGreaterThan(before)
    const log = bellhop.logged.join('\n')
    for (const secret of [accessToken, company.key]) expect(log).not.toContain(secret.slice(-43))
    expect(log).not.toContain('access_token')
  })

  test('in its turn if many connect at once; beyond a limit, they are told to come back', async () => {
    const { checksAtOnce, checksWaiting } = LIVE_CHANNEL_LIMITS
    const clients = Array.from({ length: checksAtOnce + checksWaiting + 1 })
    let outcomes: Promise<'admitted' | IncomingMessage>[] = []
    // No credential can be checked.
    await bellhop.db.tx(async (tx) => {
      await tx`lock table api_keys in access exclusive mode`
      outcomes = clients.map(() => outcomeOf(`${bellhop.url}/cable`))
      const { statusCode, headers } = (await Promise.race(outcomes)) as IncomingMessage
      expect(statusCode).toBe(503)
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    })
    const admitted = (await Promise.all(outcomes)).filter((outcome) => outcome === 'admitted')
    expect(admitted).toHaveLength(clients.length - 1)
  })

  test('if it offers the subprotocol, or none', async () => {
    await openCable(bellhop.url, { ...company, protocols: [] })
    await openCable(bellhop.url, { ...company, protocols: ['x', PROTOCOL, 'actioncable-unsupported'] })
    expect(await refusalOf(`${bellhop.url}/cable`, ['graphql-ws'])).toEqual({
      status: 400,
      body: { error: 'unknown_protocol', message: expect.stringContaining(PROTOCOL) },
    })
  })
})

describe('a page in a browser', () => {
  let published: Harness
  let theirs: TestCompany

  beforeAll(async () => {
    published = await harness({
      BELLHOP_BASE_URL: 'https://phone.example.com/bellhop',
      BELLHOP_ALLOWED_ORIGINS: 'https://crm.example.com, http://localhost:5173',
    })
    theirs = await published.newCompany()
  })

  test.each(['https://phone.example.com', 'https://crm.example.com', 'http://localhost:5173'])(
    'of %s may connect if that is our origin or an allowed one',
    async (origin) => {
      await openCable(published.url, { ...theirs, origin })
    },
  )

  const otherOrigins = [
    'http://phone.example.com',
    'https://phone.example.com:8443',
    'https://phone.example.com.evil.example',
    'https://evil.example',
    'null',
    '',
  ]
  test.each(otherOrigins)('of "%s" may not, with whatever key', async (origin) => {
    const cable = await openSocket(published.url, { ...theirs, headers: { origin } })
    expect(await cable.closed).toEqual({ code: 1008, reason: 'invalid_request' })
    expect(cable.frames).toEqual([INVALID])
  })

  test('may not connect by having our host in its origin if our URL is configured', async () => {
    const cable = await openSocket(published.url, { ...theirs, origin: published.url })
    await cable.closed
    expect(cable.frames).toEqual([INVALID])
  })

  test('may connect to the host it came from if our URL is not configured, and no other may', async () => {
    await openCable(bellhop.url, { ...company, origin: bellhop.url })
    const cable = await openSocket(bellhop.url, { ...company, origin: 'http://evil.example' })
    await cable.closed
    expect(cable.frames).toEqual([INVALID])
  })
})

describe('a request that is not a WebSocket for the live channel', () => {
  test('gets an instruction at /cable', async () => {
    const response = await fetch(`${bellhop.url}/cable`)
    expect(response.status).toBe(426)
    expect(response.headers.get('upgrade')).toBe('websocket')
    expect(await response.json()).toEqual({ error: 'upgrade_required', message: expect.any(String) })
  })

  test.each(['/sign-in/', '/cables', '/cable/', '/api/v1/nothing'])('is not found at %s', async (path) => {
    expect(await refusalOf(bellhop.url + path)).toMatchObject({ status: expect.toSatisfy((s) => s >= 400) })
  })

  test('is served normally if it offers an upgrade to HTTP/2, as some clients always do', async () => {
    const text = JSON.stringify({ phone: '+4520112233' })
    const request = (line: string, body = '') =>
      `${line} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${company.key}\r\nConnection: Upgrade, HTTP2-Settings\r\n` +
      `Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`
    const { hostname, port } = new URL(bellhop.url)
    const socket = connect(Number(port), hostname)
    let answers = ''
    socket.on('data', (chunk) => (answers += chunk.toString()))
    const statuses = () => answers.match(/HTTP\/1\.1 \d+/g)
    socket.write(request('POST /api/v1/contacts', text))
    await expect.poll(statuses, DEADLINE).toEqual(['HTTP/1.1 201'])
    socket.write(request('GET /api/v1/contacts'))
    await expect.poll(statuses, DEADLINE).toEqual(['HTTP/1.1 201', 'HTTP/1.1 200'])
    socket.destroy()
    expect((await company.api.get('/contacts')).body).toHaveLength(1)
  })
})

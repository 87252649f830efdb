import { expect, test } from 'vitest'

import { readRequest } from '../../../test/harness/sip/fake-flow.ts'
import { createTestClock } from '../../../test/harness/test-clock.ts'
import { SIP_LIMITS } from '../limits.ts'
import { respondTo } from '../message/create.ts'
import type { SipRequest } from '../message/message.ts'
import { systemRandom } from '../random.ts'
import { AuthThrottle } from './auth-throttle.ts'
import { Authenticator } from './authenticator.ts'
import { DigestClient } from './client.ts'
import { type Algorithm, digestResponse } from './digest.ts'

const CREDENTIALS = { username: 'anna', password: 'open-sesame' }
const find = (username: string) => Promise.resolve(username === 'anna' ? CREDENTIALS : undefined)

const register = () =>
  readRequest(`
REGISTER sip:bellhop.test SIP/2.0
Via: SIP/2.0/UDP h;branch=z9hG4bK1
From: <sip:anna@bellhop.test>;tag=1
To: <sip:anna@bellhop.test>
Call-ID: 1
CSeq: 1 REGISTER`)

function sign(client: DigestClient): SipRequest {
  const request = register()
  client.sign(request)
  return request
}

function stage(algorithms: Algorithm[] = ['MD5']) {
  const clock = createTestClock()
  const { token } = systemRandom
  const secret = Buffer.from('secret')
  const server = new Authenticator({ clock, token, secret, realm: 'bellhop.test', algorithms })
  const challenge = (client: DigestClient, isStale = false) => {
    const headers = { 'www-authenticate': server.challenge(isStale) }
    return client.takeUp(respondTo(register(), 401, { headers }))
  }
  return { clock, server, challenge, client: new DigestClient(CREDENTIALS, token) }
}

/** RFC 7616 §3.9.1, whose method and header fields are those of HTTP. */
test.each([
  ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
  ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
] as const)('computes the response of the RFC example with %s', (algorithm, expected) => {
  const response = digestResponse({
    algorithm,
    username: 'Mufasa',
    password: 'Circle of Life',
    realm: 'http-auth@example.org',
    nonce: '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v',
    method: 'GET',
    uri: '/dir/index.html',
    qop: { nc: '00000001', cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ' },
  })
  expect(response).toBe(expected)
})

test.each([[['MD5']], [['SHA-256']], [['MD5', 'SHA-256']]] as [Algorithm[]][])(
  'the right password is accepted with %s, and again without a new challenge',
  async (algorithms) => {
    const { server, challenge, client } = stage(algorithms)
    expect(await server.check(sign(client), find)).toMatchObject({ ok: false, why: 'missing' })
    expect(challenge(client)).toBe(true)
    const first = sign(client)
    if (algorithms.includes('SHA-256')) expect(first.headers.get('authorization')).toContain('SHA-256')
    expect(await server.check(first, find)).toEqual({ ok: true, username: 'anna' })
    expect(await server.check(sign(client), find)).toEqual({ ok: true, username: 'anna' })
  },
)

test('a captured Authorization header cannot be replayed', async () => {
  const { server, challenge, client } = stage()
  challenge(client)
  const request = sign(client)
  expect((await server.check(request, find)).ok).toBe(true)
  expect(await server.check(request, find)).toMatchObject({ ok: false, why: 'stale' })
})

test('a nonce count that is not higher than the last, or not a number, is refused', async () => {
  const { server, challenge, client } = stage()
  challenge(client)
  const [first, second] = [sign(client), sign(client)]
  expect((await server.check(second, find)).ok).toBe(true)
  expect(await server.check(first, find)).toMatchObject({ ok: false, why: 'stale' })
  const request = sign(client)
  const nonce = /nonce="([^"]+)"/.exec(request.headers.get('authorization')!)![1]!
  const input = {
    ...CREDENTIALS,
    algorithm: 'MD5',
    realm: 'bellhop.test',
    nonce,
    method: 'REGISTER',
  } as const
  const response = digestResponse({ ...input, uri: 'sip:h', qop: { nc: 'zz', cnonce: 'c' } })
  request.headers.set(
    'authorization',
    `Digest username="anna", realm="bellhop.test", nonce="${nonce}", uri="sip:h", response="${response}", ` +
      'algorithm=MD5, qop=auth, nc=zz, cnonce="c"',
  )
  expect(await server.check(request, find)).toMatchObject({ ok: false, why: 'stale' })
})

test('a nonce expires, and the client uses the next one without another password', async () => {
  const { clock, server, challenge, client } = stage()
  challenge(client)
  clock.advance(SIP_LIMITS.nonceMs + 1)
  expect(await server.check(sign(client), find)).toMatchObject({ ok: false, why: 'stale' })
  expect(challenge(client, true)).toBe(true)
  expect((await server.check(sign(client), find)).ok).toBe(true)
})

test('a nonce that we did not issue is refused', async () => {
  const { server, client } = stage()
  const foreign = 'Digest realm="bellhop.test", nonce="zzzzzz.abc.def", algorithm=MD5, qop="auth"'
  client.takeUp(respondTo(register(), 401, { headers: { 'www-authenticate': foreign } }))
  expect(await server.check(sign(client), find)).toMatchObject({ ok: false, why: 'stale' })
})

test('a wrong password is tried once, and is indistinguishable from an unknown user', async () => {
  const { server, challenge } = stage()
  for (const username of ['anna', 'nobody']) {
    const client = new DigestClient({ username, password: 'guess' }, systemRandom.token)
    expect(challenge(client)).toBe(true)
    expect(await server.check(sign(client), find)).toEqual({ ok: false, why: 'wrong', username })
    expect(challenge(client)).toBe(false)
  }
})

test('responses to wrong passwords are delayed more and more, then the source is blocked for a while', () => {
  const clock = createTestClock()
  const guard = new AuthThrottle(clock)
  guard.proved('192.0.2.1', 'anna')
  const delays = Array.from({ length: SIP_LIMITS.guessesUntilBlocked }, () => guard.failed('192.0.2.1'))
  expect(delays.slice(0, 6)).toEqual([0, 0, 0, 250, 500, 1_000])
  expect(Math.max(...delays)).toBe(SIP_LIMITS.guessDelayMsMax)
  expect(guard.blocks('192.0.2.1', 'bo')).toBe(true)
  // A coworker behind the same address, who has authenticated before.
  expect(guard.blocks('192.0.2.1', 'anna')).toBe(false)
  expect(guard.blocksAll('192.0.2.1')).toBe(false)
  expect(guard.blocks('192.0.2.2', 'bo')).toBe(false)
  clock.advance(SIP_LIMITS.guessesForgottenMs)
  expect(guard.blocks('192.0.2.1', 'bo')).toBe(false)
})

test('guesses from several addresses of one IPv6 /64 count as one source', () => {
  const guard = new AuthThrottle(createTestClock())
  for (let guess = 0; guess < SIP_LIMITS.guessesUntilBlocked; guess++) guard.failed(`2001:db8::${guess + 1}`)
  expect(guard.blocksAll('2001:db8:0:0:9:9:9:9')).toBe(true)
  expect(guard.blocksAll('2001:db8:0:1::1')).toBe(false)
  expect(guard.blocksAll('2001:db8:1::')).toBe(false)
})

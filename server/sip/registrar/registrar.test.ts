import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterEach, expect, test } from 'vitest'

import { ANNA, sdp, startAgent } from '../../../test/harness/sip/agent.ts'
import { openBrowserPhone } from '../../../test/harness/sip/browser-phone.ts'
import { createTestClock } from '../../../test/harness/test-clock.ts'
import { usedMemory } from '../../../test/harness/used-memory.ts'
import { SIP_LIMITS } from '../limits.ts'
import { TIMEOUT_64_T1_MS } from '../transaction/timers.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** A user agent with one account or more of this password, and a browser that sends it REGISTERs. */
async function stage(usernames = ['phone']) {
  const clock = createTestClock()
  const passwords = Object.fromEntries(usernames.map((username) => [username, 'open-sesame']))
  const registrar = await startAgent({ clock, passwords })
  closers.push(() => registrar.agent.close())
  const http = createServer().on('upgrade', registrar.agent.upgrade).listen(0, '127.0.0.1')
  await once(http, 'listening')
  closers.push(() => http.close())
  const url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}/sip`
  const connect = (username = 'phone') => openBrowserPhone(url, { username, password: 'open-sesame' })
  return { clock, ...registrar, connect }
}

const A = 'Contact: <sip:a@x.invalid;transport=ws>'
const B = 'Contact: <sip:b@x.invalid;transport=ws>'

test('a user has one binding for each phone, each with its own expiry', async () => {
  const { connect, agent, clock, registrations } = await stage()
  const { register } = await connect()
  await register([A, 'Expires: 100'])
  const both = await register([`${B};expires=300;q=0.5`])
  expect(both.headers.all('contact')).toEqual([
    '<sip:a@x.invalid;transport=ws>;expires=100',
    '<sip:b@x.invalid;transport=ws>;q=0.5;expires=300',
  ])
  clock.advance(100_000)
  expect((await agent.bindingsOf('phone')).map(({ uri }) => uri)).toEqual(['sip:b@x.invalid;transport=ws'])
  expect((await registrations.take(({ change }) => change === 'expired')).binding.uri).toContain('sip:a@')
  expect((await register(['Contact: *', 'Expires: 0'])).headers.all('contact')).toEqual([])
  expect(await agent.bindingsOf('phone')).toEqual([])
})

test('a registration keeps nothing else of its message in memory, such as its digest', async () => {
  const usernames = Array.from({ length: 40 }, (_, n) => `phone-${n}`)
  const { connect, agent, clock } = await stage(usernames)
  const phones = []
  for (const username of usernames) phones.push(await connect(username))
  const lines = [A, `X-Padding: ${'p'.repeat(SIP_LIMITS.messageBytesMax - 5_000)}`]
  // What V8 compiles and keeps once is no part of the difference.
  await phones[0]!.register(lines)
  const usedBefore = usedMemory()
  for (const { register } of phones) expect((await register(lines)).status).toBe(200)
  // The transactions end.
  clock.advance(TIMEOUT_64_T1_MS)
  expect(usedMemory() - usedBefore).toBeLessThan((usernames.length * SIP_LIMITS.messageBytesMax) / 2)
  expect(await agent.bindingsOf(usernames[0]!)).toHaveLength(1)
})

test('a browser that returns with another address keeps its single binding', async () => {
  const { connect, agent } = await stage()
  const instance = ';+sip.instance="<urn:uuid:1>";reg-id=1'
  const first = await (await connect()).register([A + instance, 'Supported: path, gruu, outbound'])
  expect(first.headers.get('require')).toBe('outbound')
  expect(first.headers.get('contact')).toContain(instance)
  await (await connect()).register([B + instance, 'Supported: outbound'])
  const bindings = await agent.bindingsOf('phone')
  expect(bindings.map(({ uri }) => uri)).toEqual(['sip:b@x.invalid;transport=ws'])
})

test('if a user has too many phones, the most recently registered ones stay', async () => {
  const { connect, agent, clock } = await stage()
  const { register } = await connect()
  for (let phone = 0; phone <= SIP_LIMITS.bindingsPerUserMax; phone++) {
    await register([`Contact: <sip:p${phone}@x.invalid;transport=ws>`])
    clock.advance(1_000)
  }
  const uris = (await agent.bindingsOf('phone')).map(({ uri }) => uri)
  expect(uris).toHaveLength(SIP_LIMITS.bindingsPerUserMax)
  expect(uris).not.toContain('sip:p0@x.invalid;transport=ws')
})

test('a phone whose connection is gone is no longer reachable', async () => {
  const { connect, agent, registrations } = await stage()
  const { register, close } = await connect()
  await register([A])
  close()
  await registrations.take(({ change }) => change === 'lost')
  expect(await agent.bindingsOf('phone')).toEqual([])
})

test.each([
  ['an expiry that is too short', [`${A};expires=5`], 423],
  ['a contact with header fields outside of brackets', ['Contact: sip:a@h?Route=%3Csip:b%3E'], 400],
  ['a wildcard Contact without Expires', ['Contact: *'], 400],
])('%s is refused', async (_, lines, status) => {
  const { connect } = await stage()
  const answer = await (await connect()).register(lines)
  expect(answer.status).toBe(status)
  if (status === 423)
    expect(answer.headers.get('min-expires')).toBe(String(SIP_LIMITS.registrationSecondsMin))
})

test('a user cannot register for another', async () => {
  const { connect, agent } = await stage()
  expect((await (await connect()).register([A], 'boss')).status).toBe(403)
  expect(await agent.bindingsOf('boss')).toEqual([])
})

test('a REGISTER that arrives out of order does not undo the later one', async () => {
  const { connect } = await stage()
  const { register, back } = await connect()
  await register([A])
  back(1)
  expect((await register([`${A};expires=0`])).status).toBe(500)
})

test('a Path is returned in the response, and used for calls', async () => {
  const { connect, agent } = await stage()
  const { register, requests } = await connect()
  const path = ['<sip:edge.example.com;lr>', '<sip:core.example.com;lr>']
  const answer = await register([A, `Path: ${path.join(', ')}`, 'Supported: path'])
  expect(answer.headers.list('path')).toEqual(path)
  const [binding] = await agent.bindingsOf('phone')
  agent.invite({ to: 'device', binding: binding! }, { from: ANNA, body: sdp() })
  const invite = await requests.take()
  expect(invite).toMatchObject({ method: 'INVITE', uri: 'sip:a@x.invalid;transport=ws' })
  expect(invite.headers.list('route')).toEqual(path)
})

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { startAgent } from '../../../test/harness/sip/agent.ts'
import { AsyncQueue } from '../../../test/harness/sip/async-queue.ts'
import { openSubscriber } from '../../../test/harness/sip/subscriber.ts'
import { createTestClock } from '../../../test/harness/test-clock.ts'
import type { SipRefusal, SipSubscription, SubscriptionRequest } from '../index.ts'
import { SIP_LIMITS } from '../limits.ts'
import { TIMEOUT_64_T1_MS } from '../transaction/timers.ts'

const PHONE = { username: 'phone', password: 'open-sesame' }
const OTHER = { username: 'other', password: 'abracadabra' }
const TARGET = 'sip:101@bellhop.test'
const { subscriptionSecondsMin, subscriptionSecondsMax, subscriptionsPerUserMax } = SIP_LIMITS

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** A notifier with one event package, whose state is a text. */
async function openNotifier() {
  const clock = createTestClock()
  const requests: SubscriptionRequest[] = []
  const refusals: SipRefusal[] = []
  const ended = new AsyncQueue<string>()
  const subscriptions: SipSubscription[] = []
  const state = { text: 'idle' }
  const { agent, ports } = await startAgent({
    clock,
    passwords: { phone: PHONE.password, other: OTHER.password },
    onRefusal: (refusal) => refusals.push(refusal),
    events: {
      contentTypes: { 'message-summary': 'application/simple-message-summary' },
      onSubscribe(request) {
        requests.push(request)
        if (request.target.scheme === 'sip' && 'user' in request.target && request.target.user === 'nobody')
          return request.refuse(404)
        const contentType = 'application/simple-message-summary'
        subscriptions.push(
          request.accept({
            body: () => ({ contentType, bytes: Buffer.from(state.text) }),
            ended: () => ended.put(request.username),
          }),
        )
      },
    },
  })
  closers.push(() => {
    const closed = agent.close()
    // Phones that do not answer have only so long.
    clock.advance(TIMEOUT_64_T1_MS)
    return closed
  })
  const http = createServer().on('upgrade', agent.upgrade).listen(0, '127.0.0.1')
  await once(http, 'listening')
  closers.push(() => http.close())
  return {
    clock,
    agent,
    requests,
    refusals,
    ended,
    state,
    change(text: string) {
      state.text = text
      for (const subscription of subscriptions) subscription.changed()
    },
    overUdp: (account = PHONE) => openSubscriber(ports.udp, account),
    overWebSocket: () => openSubscriber(`ws://127.0.0.1:${(http.address() as AddressInfo).port}/sip`, PHONE),
  }
}

let notifier: Awaited<ReturnType<typeof openNotifier>>
beforeEach(async () => {
  notifier = await openNotifier()
})

test.each(['overUdp', 'overWebSocket'] as const)(
  'a phone is told the state at once and after each change, %s',
  async (how) => {
    const phone = await notifier[how]()
    const { response, dialog } = await phone.subscribe(TARGET, 'message-summary;id=7', ['Expires: 600'])
    expect(response.status).toBe(200)
    expect(response.headers.get('expires')).toBe('600')
    expect(response.headers.get('contact')).toMatch(/^<sip:101@/)
    expect(notifier.requests).toMatchObject([{ event: 'message-summary', username: 'phone' }])
    const first = await phone.notified(dialog)
    expect(first).toMatchObject({
      state: 'active;expires=600',
      contentType: 'application/simple-message-summary',
      body: 'idle',
    })
    expect(first.request.headers.get('event')).toBe('message-summary;id=7')
    expect(first.request.headers.get('contact')).toMatch(/^<sip:101@/)
    expect(phone.isOf(first.request, dialog)).toBe(true)
    await phone.settled()
    notifier.clock.advance(100_000)
    notifier.change('busy')
    expect(await phone.notified(dialog)).toMatchObject({ state: 'active;expires=500', body: 'busy' })
  },
)

test('a refresh prolongs the subscription and repeats the state', async () => {
  const phone = await notifier.overUdp()
  const { dialog } = await phone.subscribe(TARGET, 'message-summary', ['Expires: 100'])
  await phone.notified(dialog)
  await phone.settled()
  notifier.clock.advance(90_000)
  const refreshed = await phone.refresh(dialog, ['Expires: 100'])
  expect(refreshed.status).toBe(200)
  expect(await phone.notified(dialog)).toMatchObject({ state: 'active;expires=100', body: 'idle' })
  await phone.settled()
  notifier.clock.advance(90_000)
  notifier.change('busy')
  expect(await phone.notified(dialog)).toMatchObject({ state: 'active;expires=10', body: 'busy' })
})

test('a subscription that is not refreshed ends, and the phone is told', async () => {
  const phone = await notifier.overUdp()
  const { dialog } = await phone.subscribe(TARGET, 'message-summary', ['Expires: 100'])
  await phone.notified(dialog)
  await phone.settled()
  notifier.clock.advance(100_000)
  expect(await phone.notified(dialog)).toMatchObject({ state: 'terminated;reason=timeout', body: 'idle' })
  await notifier.ended.take()
  expect(notifier.agent.subscriptions).toBe(0)
  expect((await phone.refresh(dialog)).status).toBe(481)
})

test('Expires: 0 ends a subscription, or reads the state once', async () => {
  const phone = await notifier.overUdp()
  const { dialog } = await phone.subscribe(TARGET, 'message-summary')
  await phone.notified(dialog)
  const last = await phone.refresh(dialog, ['Expires: 0'])
  expect(last.headers.get('expires')).toBe('0')
  expect(await phone.notified(dialog)).toMatchObject({ state: 'terminated;reason=timeout', body: 'idle' })
  await notifier.ended.take()
  const once = await phone.subscribe(TARGET, 'message-summary', ['Expires: 0'])
  expect(once.response.status).toBe(200)
  expect(await phone.notified(once.dialog)).toMatchObject({
    state: 'terminated;reason=timeout',
    body: 'idle',
  })
  await notifier.ended.take()
  expect(notifier.agent.subscriptions).toBe(0)
})

test('the duration has a minimum and a maximum, and a default', async () => {
  const phone = await notifier.overUdp()
  const short = await phone.subscribe(TARGET, 'message-summary', [`Expires: ${subscriptionSecondsMin - 1}`])
  expect(short.response.status).toBe(423)
  expect(short.response.headers.get('min-expires')).toBe(String(subscriptionSecondsMin))
  for (const lines of [[], ['Expires: 999999999999']]) {
    const { response } = await phone.subscribe(TARGET, 'message-summary', lines)
    expect(response.headers.get('expires')).toBe(String(subscriptionSecondsMax))
  }
  const { dialog } = await phone.subscribe(TARGET, 'message-summary')
  expect((await phone.refresh(dialog, ['Expires: 1'])).status).toBe(423)
  expect((await phone.refresh(dialog)).status).toBe(200)
})

test.each([
  ['another event', 'presence', []],
  ['an event that is a property of every object', 'constructor', []],
  ['a malformed event', 'message-summary;id="', []],
  ['no event', '', []],
])('%s is refused with the events that there are', async (_, event, lines) => {
  const phone = await notifier.overUdp()
  const { response } = await phone.subscribe(TARGET, event, lines)
  expect(response.status).toBe(489)
  expect(response.headers.get('allow-events')).toBe('message-summary')
  expect(notifier.agent.subscriptions).toBe(0)
})

test('a phone that does not understand the state is refused', async () => {
  const phone = await notifier.overUdp()
  const accept = async (type: string) =>
    (await phone.subscribe(TARGET, 'message-summary', [`Accept: ${type}`])).response.status
  expect(await accept('application/pidf+xml')).toBe(406)
  expect(await accept('application/pidf+xml, Application/Simple-Message-Summary;q=0.5')).toBe(200)
  expect(await accept('application/*')).toBe(200)
})

test('a refused target leaves nothing behind', async () => {
  const phone = await notifier.overUdp()
  expect((await phone.subscribe('sip:nobody@bellhop.test', 'message-summary')).response.status).toBe(404)
  expect(notifier.agent.subscriptions).toBe(0)
})

test('a wrong password subscribes to nothing', async () => {
  const phone = await notifier.overUdp({ ...PHONE, password: 'guessed' })
  expect((await phone.subscribe(TARGET, 'message-summary')).response.status).toBe(401)
  expect(notifier.requests).toEqual([])
})

test('only the subscriber can refresh, and only in a dialog that there is', async () => {
  const phone = await notifier.overUdp()
  const { dialog } = await phone.subscribe(TARGET, 'message-summary')
  await phone.notified(dialog)
  const stranger = await notifier.overUdp(OTHER)
  // Its first ones are out of order.
  expect((await stranger.refresh(dialog)).status).toBe(500)
  await stranger.refresh(dialog)
  expect((await stranger.refresh(dialog, ['Expires: 0'])).status).toBe(403)
  expect((await phone.refresh({ ...dialog, toTag: 'guessed' })).status).toBe(481)
  notifier.change('busy')
  expect(await phone.notified(dialog)).toMatchObject({ body: 'busy' })
})

test('changes while a NOTIFY is under way become one, which has the latest state', async () => {
  const phone = await notifier.overWebSocket()
  const { dialog } = await phone.subscribe(TARGET, 'message-summary')
  await phone.notified(dialog)
  const sent: string[] = []
  phone.answerWith(({ body }) => {
    sent.push(body.toString())
    return sent.length === 1 ? undefined : 200
  })
  notifier.change('one')
  const first = await phone.notified(dialog)
  notifier.change('two')
  notifier.change('three')
  await phone.refresh(dialog)
  expect(sent).toEqual(['one'])
  phone.answer(first.request, 200)
  expect((await phone.notified(dialog)).body).toBe('three')
  expect(sent).toEqual(['one', 'three'])
})

test.each([
  ['that knows nothing of it', () => 481],
  ['that does not answer', () => undefined],
])('a phone %s loses the subscription', async (_, answer) => {
  const phone = await notifier.overUdp()
  const { dialog } = await phone.subscribe(TARGET, 'message-summary')
  await phone.notified(dialog)
  phone.answerWith(answer)
  notifier.change('busy')
  await phone.notified(dialog)
  if (answer() === undefined) notifier.clock.advance(TIMEOUT_64_T1_MS)
  await notifier.ended.take()
  expect(notifier.agent.subscriptions).toBe(0)
  phone.answerWith(() => 200)
  expect((await phone.refresh(dialog)).status).toBe(481)
})

test('a phone that fails for a moment keeps the subscription', async () => {
  const phone = await notifier.overUdp()
  const { dialog } = await phone.subscribe(TARGET, 'message-summary')
  await phone.notified(dialog)
  phone.answerWith(() => 500)
  notifier.change('busy')
  await phone.notified(dialog)
  phone.answerWith(() => 200)
  await vi.waitFor(async () => {
    notifier.change('idle')
    expect((await phone.notified(dialog)).body).toBe('idle')
  })
})

test('a closed connection ends the subscription', async () => {
  const phone = await notifier.overWebSocket()
  const { dialog } = await phone.subscribe(TARGET, 'message-summary')
  await phone.notified(dialog)
  phone.close()
  await notifier.ended.take()
  expect(notifier.agent.subscriptions).toBe(0)
})

test('a deleted phone is told that it has no subscription any more', async () => {
  const phone = await notifier.overUdp()
  const { dialog } = await phone.subscribe(TARGET, 'message-summary')
  await phone.notified(dialog)
  expect(notifier.agent.subscribers()).toEqual(['phone'])
  await notifier.agent.forget('phone')
  expect(await phone.notified(dialog)).toMatchObject({ state: 'terminated;reason=rejected', body: '' })
  await notifier.ended.take()
  expect(notifier.agent.subscribers()).toEqual([])
})

test('a user agent that closes says when to subscribe again', async () => {
  const phone = await notifier.overUdp()
  const { dialog } = await phone.subscribe(TARGET, 'message-summary')
  await phone.notified(dialog)
  await notifier.agent.close()
  const { state } = await phone.notified(dialog)
  expect(state).toBe('terminated;reason=probation;retry-after=10')
})

test('a phone has a limited number of subscriptions, and a refusal is reported', async () => {
  const phone = await notifier.overUdp()
  for (let count = 0; count < subscriptionsPerUserMax; count++) {
    const { response } = await phone.subscribe(TARGET, 'message-summary')
    expect(response.status).toBe(200)
    // A sender that is not registered may send only so many messages.
    await phone.settled()
    notifier.clock.advance(1_000)
  }
  expect((await phone.subscribe(TARGET, 'message-summary')).response.status).toBe(503)
  expect(notifier.refusals).toMatchObject([{ why: 'too_many_subscriptions', username: 'phone', status: 503 }])
  const other = await notifier.overUdp(OTHER)
  expect((await other.subscribe(TARGET, 'message-summary')).response.status).toBe(200)
})

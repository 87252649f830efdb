import { beforeEach, describe, expect, test } from 'vitest'

import { apiClient } from '../../../test/harness/api-client.ts'
import { type FormBrowser, formBrowser } from '../../../test/harness/browser/form-browser.ts'
import { newSignInEmployee, PASSWORD, type SignInEmployee } from '../../../test/harness/browser/sign-in.ts'
import { openQueueFixture, type QueueFixture } from '../../../test/harness/calls/queue-fixture.ts'
import { harness } from '../../../test/harness/index.ts'
import { openPushService, type PushedBrowser } from '../../../test/harness/peers/push-service.ts'
import { encodeId } from '../../platform/ids.ts'
import { PUSH_LIMITS } from './limits.ts'

const bellhop = await harness({ BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' })
const strictBellhop = await harness()
const service = await openPushService()

let fixture: QueueFixture
let anna: SignInEmployee
let places = 0

beforeEach(async () => {
  service.received.length = 0
  service.refused.length = 0
  service.answer = () => 201
  fixture = await openQueueFixture(bellhop)
  anna = fixture.anna
})

async function signIn(employee = anna, url = bellhop.url): Promise<FormBrowser> {
  const session = formBrowser(url, { address: `2001:db8:${++places}::1` })
  await session.post('/sign-in', { email: employee.email, password: PASSWORD })
  return session
}

const headersOf = ({ cookies }: FormBrowser, origin = bellhop.url) => ({
  cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  origin,
  'content-type': 'application/json',
})

const post = (session: FormBrowser, body: object) =>
  bellhop.anonymous.request('/push_subscriptions', {
    method: 'POST',
    headers: headersOf(session),
    body: JSON.stringify(body),
  })

/** A browser of the employee, signed in and subscribed. */
async function subscribe(employee = anna, more: { language?: string; browser?: PushedBrowser } = {}) {
  const { browser = service.newBrowser(), ...given } = more
  const session = await signIn(employee)
  const { status, body } = await post(session, { ...browser.subscription, ...given })
  expect(status).toBe(201)
  return { ...browser, session, id: body.id as string }
}

async function wait(...employees: SignInEmployee[]): Promise<string> {
  const callId = await fixture.newCall()
  await fixture.waitFor(
    callId,
    employees.map(({ employeeId }) => employeeId),
  )
  return callId
}

/** Runs all jobs; on a slow machine, calls may have waited too long to be announced. */
async function runJobs() {
  await bellhop.db.sql`
    update graphile_worker._private_jobs set payload = jsonb_set(payload::jsonb, '{since}', to_jsonb(now() + interval '1 hour'))::json
    where payload->>'since' is not null`
  await bellhop.drainJobs()
}

/** What the browsers show, after all jobs. */
async function shown(run = runJobs) {
  await run()
  expect(service.refused).toEqual([])
  return service.received.splice(0).map(({ browser, alert: { state, title, body } }) => ({
    browser,
    state,
    title,
    body,
  }))
}

const isSubscribed = async ({ id }: { id: string }) => {
  const rows = await bellhop.db.sql<{ id: string }[]>`select id from push_subscriptions`
  return rows.some((row) => encodeId('sub', row.id) === id)
}

describe('a call that waits', () => {
  test('is shown by the browser of an employee who is signed in but has no phone, who stays logged out', async () => {
    await fixture.company.api.post('/contacts', { phone: '+4520112233', name: 'Mikkel Dahl' })
    const { name } = await subscribe()
    const callId = await wait(anna)
    await runJobs()
    const [{ headers, body, alert }, ...more] = service.received as [(typeof service.received)[0]]
    expect(more).toEqual([])
    expect(alert).toEqual({
      call: encodeId('cal', callId),
      state: 'waiting',
      title: 'Mikkel Dahl is calling',
      body: expect.stringMatching(/^.+ · Open Bellhop to answer$/),
    })
    expect(headers).toMatchObject({
      ttl: '30',
      urgency: 'high',
      topic: expect.stringMatching(/^[\w-]{32}$/),
      'content-encoding': 'aes128gcm',
    })
    expect(body.includes('Mikkel')).toBe(false)
    expect((await fixture.company.api.get(`/employees/${anna.id}`)).body.status).toBe('logged_out')
    const { topic } = headers
    await fixture.end(callId)
    await bellhop.drainJobs()
    expect(service.received[1]).toMatchObject({
      browser: name,
      headers: { topic },
      alert: { state: 'over', title: 'Missed call from Mikkel Dahl' },
    })
    expect((await bellhop.db.sql`select from push_alerts`).length).toBe(0)
  })

  test('is shown by all browsers of all whom it may ring, each in its language', async () => {
    const bo = await newSignInEmployee(bellhop, fixture.company)
    const carla = await newSignInEmployee(bellhop, fixture.company)
    const browsers = [
      await subscribe(anna, { language: 'da' }),
      await subscribe(anna, { language: 'de' }),
      await subscribe(bo, { language: 'sv' }),
    ]
    await subscribe(carla)
    // Whose phone rings is shown it too: the tab may be hidden, and the phone at home.
    await (await fixture.newPhone(bo.employeeId)).register()
    const callId = await wait(anna, bo)
    const titles = (await shown()).map(({ browser, title }) => [browser, title])
    expect(titles.toSorted(([one], [other]) => one!.localeCompare(other!))).toEqual([
      [browsers[0]!.name, '+45 20 11 22 33 ringer'],
      [browsers[1]!.name, '+45 20 11 22 33 ruft an'],
      [browsers[2]!.name, '+45 20 11 22 33 ringer'],
    ])
    await fixture.answer(callId, bo.employeeId)
    expect((await shown()).map(({ title }) => title).toSorted()).toEqual([
      'Du tog samtalet från +45 20 11 22 33',
      `${bo.name} hat den Anruf von +45 20 11 22 33 angenommen`,
      `${bo.name} tog opkaldet fra +45 20 11 22 33`,
    ])
  })

  test('is not shown to somebody who is on a call, or does not want to be disturbed', async () => {
    const bo = await newSignInEmployee(bellhop, fixture.company)
    await subscribe()
    await subscribe(bo)
    await fixture.placeCall(anna.employeeId)
    await fixture.company.api.put(`/employees/${bo.id}/do_not_disturb`, { enabled: true })
    const callId = await wait(anna, bo)
    expect(await shown()).toEqual([])
    await fixture.end(callId)
    expect(await shown()).toEqual([])
  })

  test('orders no job if nobody has such a browser', async () => {
    const other = await newSignInEmployee(bellhop, fixture.company)
    await subscribe(other)
    const callId = await wait(anna)
    await fixture.end(callId)
    const jobs = await bellhop.db.sql`
      select from graphile_worker.jobs where task_identifier like 'push.%'`
    expect(jobs.length).toBe(0)
  })

  test('is not announced late, or when it has already ended', async () => {
    await subscribe()
    const ended = await wait(anna)
    await fixture.end(ended)
    expect(await shown()).toEqual([])
    const late = await wait(anna)
    await bellhop.db.sql`
      update graphile_worker._private_jobs
      set payload = jsonb_set(payload::jsonb, '{since}', to_jsonb(now() - make_interval(secs => ${PUSH_LIMITS.freshSeconds})))::json
      where payload->>'callId' = ${late} and payload->>'since' is not null`
    expect(await shown(bellhop.drainJobs)).toEqual([])
  })

  test('that ends while it is being announced is taken back', async () => {
    await subscribe()
    const callId = await wait(anna)
    service.answer = async ({ alert: { state } }) => {
      if (state === 'waiting') await fixture.end(callId)
      return 201
    }
    expect((await shown()).map(({ state }) => state)).toEqual(['waiting', 'over'])
    expect(await shown()).toEqual([])
  })
})

describe('a browser', () => {
  test.each([404, 410])('that answers %i is forgotten', async (status) => {
    const browser = await subscribe()
    service.answer = () => status
    const callId = await wait(anna)
    expect(await shown()).toHaveLength(1)
    expect(await isSubscribed(browser)).toBe(false)
    await fixture.end(callId)
    expect(await shown()).toEqual([])
  })

  test.each([400, 429, 500])('that answers %i is tried once, and the next call again', async (status) => {
    const browser = await subscribe()
    const other = await subscribe()
    service.answer = ({ browser: name }) => (name === browser.name ? status : 201)
    const first = await wait(anna)
    expect(await shown()).toHaveLength(2)
    await fixture.end(first)
    expect((await shown()).map(({ browser: name }) => name)).toEqual([other.name])
    expect(await isSubscribed(browser)).toBe(true)
    service.answer = () => 201
    await wait(anna)
    expect(await shown()).toHaveLength(2)
  })

  test('that never answers is given up after ten seconds', async () => {
    await subscribe()
    service.answer = () => 'never'
    const callId = await wait(anna)
    const showing = shown()
    await expect.poll(() => service.received.length, { timeout: 30_000 }).toBe(1)
    bellhop.clock.advance(10_000)
    expect(await showing).toHaveLength(1)
    await fixture.end(callId)
    expect(await shown()).toEqual([])
  })

  test('is forgotten when its session ends, and only then', async () => {
    const [one, two] = [await subscribe(), await subscribe()]
    await one.session.submit('/sign-out', '/sign-out')
    expect(await isSubscribed(one)).toBe(false)
    expect(await isSubscribed(two)).toBe(true)
    await wait(anna)
    expect((await shown()).map(({ browser }) => browser)).toEqual([two.name])
  })

  test('that subscribes again is known once, with its newest session and language', async () => {
    const first = await subscribe()
    const again = await subscribe(anna, { browser: first, language: 'da' })
    expect(again.id).toBe(first.id)
    await first.session.submit('/sign-out', '/sign-out')
    await wait(anna)
    expect((await shown()).map(({ title }) => title)).toEqual(['+45 20 11 22 33 ringer'])
  })

  test('belongs to the employee who signed in there last', async () => {
    const mine = await subscribe()
    const foreign = await newSignInEmployee(bellhop)
    const theirs = await subscribe(foreign, { browser: mine })
    expect(await isSubscribed(mine)).toBe(false)
    expect(await isSubscribed(theirs)).toBe(true)
    await wait(anna)
    expect(await shown()).toEqual([])
  })

  test('is unsubscribed by its employee, and by nobody else', async () => {
    const browser = await subscribe()
    const bo = await bellhop.keyFor((await newSignInEmployee(bellhop, fixture.company)).employeeId)
    expect((await bo.api.delete(`/push_subscriptions/${browser.id}`)).status).toBe(404)
    const { api } = await bellhop.keyFor(anna.employeeId)
    expect((await api.delete(`/push_subscriptions/${browser.id}`)).status).toBe(204)
    expect((await api.delete(`/push_subscriptions/${browser.id}`)).status).toBe(404)
    await wait(anna)
    expect(await shown()).toEqual([])
  })

  test('is one of a limited number: the oldest is forgotten', async () => {
    const session = await signIn()
    const ids: string[] = []
    for (let n = 0; n <= PUSH_LIMITS.browsersPerEmployee; n++)
      ids.push((await post(session, service.newBrowser().subscription)).body.id)
    const kept = await Promise.all(ids.map((id) => isSubscribed({ id })))
    expect(kept).toEqual([false, ...ids.slice(1).map(() => true)])
  })

  test('keeps its endpoint and keys encrypted', async () => {
    const { subscription } = await subscribe()
    const [row] = await bellhop.db.sql<{ text: string }[]>`
      select encode(subscription_sealed, 'escape') || push_subscriptions::text as text
      from push_subscriptions where employee_id = ${anna.employeeId}`
    for (const secret of [subscription.endpoint, subscription.auth, subscription.p256dh])
      expect(row!.text).not.toContain(secret)
  })
})

describe('refused is', () => {
  test('a request that is not made by a signed-in browser', async () => {
    const { api } = await bellhop.keyFor(anna.employeeId)
    const reply = await api.post('/push_subscriptions', service.newBrowser().subscription)
    expect(reply).toMatchObject({ status: 403, body: { error: 'session_required' } })
  })

  test('what is no key', async () => {
    const { subscription } = service.newBrowser()
    const session = await signIn()
    for (const wrong of [
      { auth: 'short' },
      { p256dh: subscription.auth },
      { p256dh: `${subscription.p256dh.slice(0, -4)}AAAA` },
    ])
      expect((await post(session, { ...subscription, ...wrong })).status).toBe(422)
  })

  test.each([
    'http://push.example.com/x',
    'https://127.0.0.1/x',
    'https://169.254.169.254/latest/meta-data',
    'https://user:secret@1.1.1.1/x',
    'javascript:alert(1)',
  ])('the endpoint %s', async (endpoint) => {
    const employee = await newSignInEmployee(strictBellhop)
    const session = await signIn(employee, strictBellhop.url)
    const { status, body } = await strictBellhop.anonymous.request('/push_subscriptions', {
      method: 'POST',
      headers: headersOf(session, strictBellhop.url),
      body: JSON.stringify({ ...service.newBrowser().subscription, endpoint }),
    })
    expect(status).toBe(422)
    expect(JSON.stringify(body)).toContain('endpoint')
  })
})

test('the key that browsers subscribe with is that of the installation, in every process', async () => {
  const { api } = fixture.company
  const { body } = await api.get('/push_settings')
  const other = await bellhop.startAnotherApi()
  expect((await apiClient(other, fixture.company.key).get('/push_settings')).body).toEqual(body)
  await subscribe()
  await wait(anna)
  await runJobs()
  expect(service.received[0]!.headers.authorization).toContain(`k=${body.public_key}`)
})

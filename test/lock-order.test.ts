import { randomUUID } from 'node:crypto'

import { generate } from 'otplib'
import { beforeEach, describe, expect, test } from 'vitest'

import { revokeApiKey } from '../server/modules/api-keys/index.ts'
import { openTransfer, transferCancelled, unqueueCall } from '../server/modules/calls/index.ts'
import { removeDevice, removeExpiredRegistrations } from '../server/modules/devices/index.ts'
import { withQueue } from '../server/modules/queue/index.ts'
import type { Tx } from '../server/platform/db/database.ts'
import { decodeId, encodeId } from '../server/platform/ids.ts'
import { deregisterEdge } from '../server/telephony/edge/reaper.ts'
import type { ApiReply } from './harness/api-client.ts'
import { type FormBrowser, formBrowser, type ReadPage } from './harness/browser/form-browser.ts'
import { linkTo, PASSWORD } from './harness/browser/sign-in.ts'
import { openQueueFixture, type QueueFixture } from './harness/calls/queue-fixture.ts'
import { harness } from './harness/index.ts'
import { oauthApplication } from './harness/peers/oauth.ts'
import { untilWaiting } from './harness/routes/insert-barrier.ts'

const bellhop = await harness()
const { db, clock } = bellhop
const { sql } = db

let fixture: QueueFixture
beforeEach(async () => {
  fixture = await openQueueFixture(bellhop)
})

/**
 * `operation` waits for the lock of `hold`, whose transaction then locks every row. Neither deadlocks, because the one
 * that waits has not locked anything yet.
 */
async function waitsWithEmptyHands<T>(hold: (tx: Tx) => Promise<unknown>, operation: () => Promise<T>) {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`
  const { running } = await db.tx(async (tx) => {
    await hold(tx)
    const running = operation()
    running.catch(() => {})
    await untilWaiting(tx, 1)
    for (const { name } of tables) await tx`select from ${tx(name)} for update`
    return { running }
  })
  return running
}

const holdQueue = (tx: Tx) => withQueue(tx, fixture.company.companyId, async () => {})
const holdEmployee = (employeeId: string) => (tx: Tx) =>
  tx`select from employees where id = ${employeeId} for update`

function done(answer: Pick<ApiReply | ReadPage, 'status'>): void {
  expect([200, 201, 204, 303]).toContain(answer.status)
}

async function signedIn(): Promise<FormBrowser> {
  const browser = formBrowser(bellhop.url, { address: `2001:db8:${randomUUID().slice(0, 4)}::1` })
  done(await browser.post('/sign-in', { email: fixture.anna.email, password: PASSWORD }))
  return browser
}

async function registeredPhone() {
  const phone = await fixture.newPhone(fixture.anna.employeeId)
  await phone.register()
  return phone
}

/** Calls of the owner of the company; Anna is available. */
async function conversation() {
  await registeredPhone()
  const { companyId, employeeId } = fixture.company
  const callId = await fixture.newCall()
  await fixture.answer(callId, employeeId)
  return { callId, actor: { companyId, employeeId } }
}

/** Each prepares its state, and returns the operation. */
const OPERATIONS: Record<string, () => Promise<() => Promise<unknown>>> = {
  async 'do-not-disturb expires'() {
    await fixture.letDoNotDisturbExpire()
    return () => fixture.runJobs('employees.end_do_not_disturb')
  },
  async 'do-not-disturb is switched on'() {
    await registeredPhone()
    const path = `/employees/${fixture.anna.id}/do_not_disturb`
    return async () => done(await fixture.company.api.put(path, { enabled: true }))
  },
  async 'a phone registers'() {
    const phone = await fixture.newPhone(fixture.anna.employeeId)
    return () => phone.register()
  },
  async 'a phone registers at another edge'() {
    const phone = await registeredPhone()
    const another = await fixture.newEdge()
    return () => phone.register(another)
  },
  async 'a phone leaves'() {
    const phone = await registeredPhone()
    return () => phone.leave()
  },
  async 'registrations expire'() {
    await (await registeredPhone()).expire()
    return () => removeExpiredRegistrations(db)
  },
  async 'an edge dies'() {
    await registeredPhone()
    await fixture.waitFor(await fixture.newCall(), [fixture.anna.employeeId])
    return () => deregisterEdge(db, fixture.edgeId)
  },
  async 'an edge dies that has only phones'() {
    await registeredPhone()
    return () => deregisterEdge(db, fixture.edgeId)
  },
  async 'the operator removes a phone'() {
    const { id } = await registeredPhone()
    return () => db.tx((tx) => removeDevice(tx, id))
  },
  async 'an employee removes a phone'() {
    const { id } = await registeredPhone()
    const browser = await signedIn()
    const remove = `/account/phones/${encodeId('dev', id)}/remove`
    return async () => done(await browser.submit('/account/phones', remove))
  },
  async 'credentials of a browser expire'() {
    const { id } = await registeredPhone()
    await sql`update devices set expires_at = now() - interval '1 hour' where id = ${id}`
    await sql`select graphile_worker.add_job('devices.clean_up', '{}'::json)`
    return () => fixture.runJobs('devices.clean_up')
  },
  async 'a browser takes the place of the oldest'() {
    const { api } = await bellhop.keyFor(fixture.anna.employeeId)
    for (let browser = 0; browser < 20; browser++) done(await api.post('/softphone_credentials'))
    return async () => done(await api.post('/softphone_credentials'))
  },
  async 'an invitation is accepted'() {
    const email = `${randomUUID()}@example.com`
    done(await fixture.company.api.post('/employees', { name: 'Bo', email }))
    const path = new URL(await linkTo(bellhop, email)).pathname
    const browser = formBrowser(bellhop.url)
    return async () => done(await browser.submit(path, path, { password: PASSWORD }))
  },
  async 'an employee signs out'() {
    const browser = await signedIn()
    return async () => done(await browser.submit('/sign-out', '/sign-out'))
  },
  async 'an employee signs out elsewhere'() {
    await signedIn()
    const browser = await signedIn()
    return async () => done(await browser.submit('/account', '/account/other-sessions/end'))
  },
  async 'a password is changed'() {
    const browser = await signedIn()
    const typed = { current_password: PASSWORD, password: `${PASSWORD} 2` }
    return async () => done(await browser.submit('/account/password', '/account/password', typed))
  },
  async 'an API key is revoked'() {
    const { id } = await bellhop.keyFor(fixture.anna.employeeId)
    return () => db.tx((tx) => revokeApiKey(tx, id))
  },
  async 'what was granted to an application is revoked'() {
    const app = oauthApplication(bellhop)
    const { companyId } = fixture.company
    const { clientId, accessToken } = await app.newTokens({ companyId, employeeId: fixture.anna.employeeId })
    return async () => done(await app.revoke(clientId, accessToken))
  },
  async 'a refresh token comes again'() {
    const app = oauthApplication(bellhop)
    const { companyId } = fixture.company
    const { clientId, refreshToken } = await app.newTokens({ companyId, employeeId: fixture.anna.employeeId })
    await app.refresh(clientId, refreshToken)
    clock.advance(1_000)
    return async () => expect((await app.refresh(clientId, refreshToken)).status).toBe(400)
  },
  async 'a company asks for a second factor'() {
    return async () => done(await fixture.company.api.patch('/company', { requires_two_factor: true }))
  },
  async 'an employee is deleted'() {
    await registeredPhone()
    return async () => done(await fixture.company.api.delete(`/employees/${fixture.anna.id}`))
  },
  async 'a call is placed'() {
    return () => fixture.placeCall(fixture.anna.employeeId)
  },
  async 'a caller waits'() {
    const callId = await fixture.newCall()
    return () => fixture.waitFor(callId, [fixture.anna.employeeId])
  },
  async 'a caller waits no more'() {
    const callId = await fixture.newCall()
    await fixture.waitFor(callId, [fixture.anna.employeeId])
    return () => db.tx((tx) => unqueueCall(tx, fixture.refOf(callId)))
  },
  async 'a call is answered'() {
    const callId = await fixture.newCall()
    return () => fixture.answer(callId, fixture.anna.employeeId)
  },
  async 'a call ends'() {
    const callId = await fixture.placeCall(fixture.anna.employeeId)
    return () => fixture.end(callId)
  },
  async 'a transfer begins'() {
    const { callId, actor } = await conversation()
    return () =>
      db.tx((tx) =>
        openTransfer(tx, actor, callId, { toEmployeeId: fixture.anna.employeeId, isBlind: false }),
      )
  },
  async 'a transfer is cancelled'() {
    const { callId, actor } = await conversation()
    const toEmployeeId = fixture.anna.employeeId
    const transferId = await db.tx((tx) => openTransfer(tx, actor, callId, { toEmployeeId, isBlind: false }))
    const ref = { ...fixture.refOf(callId), transferId, fromEmployeeId: actor.employeeId, toEmployeeId }
    return () => db.tx((tx) => transferCancelled(tx, ref))
  },
}

describe('an operation that waits for the queue of a company has locked nothing before', () => {
  test.each(Object.keys(OPERATIONS))('when %s', async (name) => {
    const operation = await OPERATIONS[name]!()
    await waitsWithEmptyHands(holdQueue, operation)
  })

  test('and one that has is refused, whatever it locked', async () => {
    const { companyId, employeeId } = fixture.company
    for (const write of [
      (tx: Tx) => tx`update companies set name = 'Other' where id = ${companyId}`,
      holdEmployee(employeeId),
    ]) {
      const late = db.tx(async (tx) => {
        await write(tx)
        await withQueue(tx, companyId, async () => {})
      })
      await expect(late).rejects.toThrow('before it writes')
    }
    expect((await fixture.company.api.get('/company')).body.name).toBe('Test company')
  })
})

describe('an operation that waits for an employee has locked nothing before that is deleted with them', () => {
  test('when the e-mail of an invited employee changes', async () => {
    const { api } = fixture.company
    const { body } = await api.post('/employees', { name: 'Bo', email: `${randomUUID()}@example.com` })
    await bellhop.drainJobs()
    const email = `${randomUUID()}@example.com`
    await waitsWithEmptyHands(holdEmployee(decodeId('emp', body.id)!), async () =>
      done(await api.patch(`/employees/${body.id}`, { email })),
    )
  })

  test('when they choose a new password', async () => {
    const { email, employeeId } = fixture.anna
    const browser = formBrowser(bellhop.url)
    done(await browser.submit('/password-reset', '/password-reset', { email }))
    const path = new URL(await linkTo(bellhop, email)).pathname
    await waitsWithEmptyHands(holdEmployee(employeeId), async () =>
      done(await browser.submit(path, path, { password: `${PASSWORD} 2` })),
    )
  })

  test('when they sign in with a second factor', async () => {
    const setup = '/account/two-factor/setup'
    const first = await signedIn()
    const { html } = await first.get(setup)
    const secret = /class="secret">([A-Z2-7 ]+)</.exec(html)![1]!.replaceAll(' ', '')
    const newCode = () => generate({ secret, epoch: Math.floor(clock.now().getTime() / 1000) })
    done(await first.submit(setup, setup, { code: await newCode() }))
    clock.advance(30_000)
    const browser = await signedIn()
    const code = await newCode()
    await waitsWithEmptyHands(holdEmployee(fixture.anna.employeeId), async () =>
      done(await browser.submit('/sign-in/code', '/sign-in/code', { code })),
    )
  })
})

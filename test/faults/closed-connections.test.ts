import { expect, test } from 'vitest'

import { openDatabase } from '../../server/platform/db/database.ts'
import { startEdge } from '../../server/roles/edge.ts'
import { afterFile } from '../harness/after-file.ts'
import { eventually } from '../harness/calls/call-events.ts'
import { holdLock, lockQueue, waitingStatements } from '../harness/calls/held-lock.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { openBrowserPhone } from '../harness/sip/browser-phone.ts'

const phoneSystem = await openPhoneSystem()
const { bellhop, dial, hire, callee } = phoneSystem
const second = await startEdge(bellhop.parts)
afterFile(() => second.stop())
phoneSystem.connectCarrier('second', second.port)
const outside = openDatabase(bellhop.db.address, { poolSize: 2 })
afterFile(() => outside.close())

/** The browser phone of the owner of a new company: each page connects and registers as the same phone. */
async function newBrowserPhone() {
  const company = await bellhop.newCompany()
  const { body } = await company.api.post('/softphone_credentials')
  const { username, password } = body as { username: string; password: string }
  const { employee } = (await company.api.get('/session')).body
  const flow = { type: 'TransferConfig', employee_ids: [employee.id] }
  const { number } = await numberWith(bellhop, company, flow)
  return {
    company,
    number,
    async open() {
      const page = await openBrowserPhone(`${bellhop.url.replace('http', 'ws')}/sip`, { username, password })
      const contact = `<sip:${username}@x.invalid;transport=ws>;+sip.instance="<urn:uuid:1>";reg-id=1`
      return { ...page, register: () => page.register([`Contact: ${contact}`, 'Supported: outbound']) }
    },
    status: async () => (await company.api.get(`/employees/${employee.id}`)).body.status as string,
    async lastRegistered() {
      const [device] = await outside.sql<{ last_registered_at: Date | null }[]>`
        select last_registered_at from devices where username = ${username}`
      return device!.last_registered_at
    },
    lockRegistration: () =>
      holdLock(outside, (tx) => tx`select from device_registrations where username = ${username} for update`),
  }
}

const somethingWaits = () =>
  eventually(async () => expect(await waitingStatements(outside)).toBeGreaterThan(0))

/** Registrations of others take as long as one that waits for nothing. */
async function othersRegister() {
  const company = await bellhop.newCompany()
  for (let other = 0; other < 3; other++) await hire(company, `Other ${other}`, 800)
}

test('a page that is reloaded is rung if the removal of its old connection reaches the database late', async () => {
  const phone = await newBrowserPhone()
  const before = await phone.open()
  await before.register()
  const unlock = await lockQueue(outside, phone.company.companyId)
  before.close()
  await somethingWaits()
  const after = await phone.open()
  const registered = after.register()
  await othersRegister()
  unlock()
  expect((await registered).status).toBe(200)

  const customer = await dial(phone.number)
  await customer.connected()
  expect((await after.requests.take()).method).toBe('INVITE')
})

test('a page that is reloaded is rung if its old connection closes while the new one registers', async () => {
  const phone = await newBrowserPhone()
  const before = await phone.open()
  await before.register()
  const unlock = await phone.lockRegistration()
  const after = await phone.open()
  const registered = after.register()
  await somethingWaits()
  before.close()
  await before.closed
  await othersRegister()
  unlock()
  expect((await registered).status).toBe(200)

  const customer = await dial(phone.number)
  await customer.connected()
  expect((await after.requests.take()).method).toBe('INVITE')
})

test('a phone whose connection closes while it registers is not registered', async () => {
  const phone = await newBrowserPhone()
  const page = await phone.open()
  const unlock = await lockQueue(outside, phone.company.companyId)
  // Nothing answers it.
  page.register().catch(() => {})
  await somethingWaits()
  page.close()
  await page.closed
  expect(await phone.lastRegistered()).toBeNull()
  unlock()
  await eventually(async () => expect(await phone.lastRegistered()).not.toBeNull())
  await eventually(async () => expect(await phone.status()).toBe('logged_out'))
})

test.each([
  ['the edge of the call', 'bellhop'],
  ['another edge', 'second'],
])('a page that is reloaded while it rings for %s is soon rung again', async (_, over) => {
  const phone = await newBrowserPhone()
  const before = await phone.open()
  await before.register()
  const customer = await dial(phone.number, { over })
  await customer.connected()
  expect((await before.requests.take()).method).toBe('INVITE')
  before.close()
  const after = await phone.open()
  expect((await after.register()).status).toBe(200)
  // Someone who declined would be left alone for 30 s.
  let passed = 0
  await eventually(() => {
    if (passed < 20_000) bellhop.clock.advance(500)
    passed += 500
    expect(after.requests.waiting).not.toEqual([])
  })
  expect((await after.requests.take()).method).toBe('INVITE')
})

test('a page that is left while its call is being authenticated calls nobody', async () => {
  const phone = await newBrowserPhone()
  const page = await phone.open()
  await page.register()
  const anna = await hire(phone.company, 'Anna', 700)
  const unlock = await holdLock(outside, (tx) => tx`lock table devices`)
  page.dial('+4520000001')
  await somethingWaits()
  page.close()
  await page.closed
  unlock()
  await anna.dial('+4520000002')
  expect((await callee()).call.uri).toMatchObject({ user: '+4520000002' })
})

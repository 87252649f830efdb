import { randomUUID } from 'node:crypto'

import { beforeAll, beforeEach, expect, test } from 'vitest'

import { saveRegistration } from '../server/modules/devices/index.ts'
import { decodeId } from '../server/platform/ids.ts'
import { formBrowser } from './harness/browser/form-browser.ts'
import { linkTo, PASSWORD } from './harness/browser/sign-in.ts'
import { openQueueFixture, type QueueFixture } from './harness/calls/queue-fixture.ts'
import { type Harness, harness } from './harness/index.ts'

let bellhop: Harness
let fixture: QueueFixture
beforeAll(async () => {
  bellhop = await harness()
})
beforeEach(async () => {
  fixture = await openQueueFixture(bellhop)
})

/** The employee's presence as last published. */
async function told(employeeId: string): Promise<string | null> {
  const [row] = await bellhop.db.sql<{ told_status: string | null }[]>`
    select told_status from employees where id = ${employeeId}`
  return row!.told_status
}

test('an employee who accepts an invitation and has a registered phone rings for a waiting caller', async () => {
  const { api } = fixture.company
  const email = `${randomUUID()}@example.com`
  const { body } = await api.post('/employees', { name: 'Bo', email })
  const employeeId = decodeId('emp', body.id)!
  await (await fixture.newPhone(employeeId)).register()
  await fixture.waitFor(await fixture.newCall(), [employeeId])
  expect((await api.get(`/employees/${body.id}`)).body.status).toBe('logged_out')

  const path = new URL(await linkTo(bellhop, email)).pathname
  expect((await formBrowser(bellhop.url).submit(path, path, { password: PASSWORD })).status).toBe(303)
  const { body: accepted } = await api.get(`/employees/${body.id}`)
  expect(accepted).toMatchObject({ invitation_pending: false, status: 'ringing' })
  expect(await told(employeeId)).toBe('ringing')
})

test('an employee whose only browser is replaced by newer ones is published as logged out', async () => {
  const { employeeId } = fixture.anna
  const { api } = await bellhop.keyFor(employeeId)
  const { username } = (await api.post('/softphone_credentials')).body
  const line = { username, key: 'line', edgeId: fixture.edgeId, binding: {}, forMs: 3_600_000 }
  expect(await saveRegistration(bellhop.db, line)).toBe(true)
  expect(await told(employeeId)).toBe('available')
  for (let browser = 0; browser < 20; browser++) await api.post('/softphone_credentials')
  expect(await told(employeeId)).toBe('logged_out')
})

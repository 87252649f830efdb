import { randomUUID } from 'node:crypto'

import { expect, test, vi } from 'vitest'

import {
  openTransfer,
  transferAnswered,
  transferCancelled,
  unqueueCall,
} from '../../server/modules/calls/index.ts'
import { removeDevice, removeExpiredRegistrations } from '../../server/modules/devices/index.ts'
import { AppError } from '../../server/platform/errors.ts'
import { deregisterEdge } from '../../server/telephony/edge/reaper.ts'
import type { ApiReply } from '../harness/api-client.ts'
import { formBrowser } from '../harness/browser/form-browser.ts'
import { linkTo, newSignInEmployee, PASSWORD } from '../harness/browser/sign-in.ts'
import { openQueueFixture } from '../harness/calls/queue-fixture.ts'
import { harness } from '../harness/index.ts'

const ROUNDS = 15
const PATIENCE = { timeout: 30_000 }

const bellhop = await harness()
const { db } = bellhop

test('concurrent operations on the queue of a company do not make each other fail, and presence stays correct', async () => {
  const fixture = await openQueueFixture(bellhop)
  const { anna, company } = fixture
  const bob = await newSignInEmployee(bellhop, company)
  const phones = {
    anna: await fixture.newPhone(anna.employeeId),
    bob: await fixture.newPhone(bob.employeeId),
  }
  const everybody = [anna.employeeId, bob.employeeId, company.employeeId]
  const doNotDisturb = `/employees/${bob.id}/do_not_disturb`
  const annas = (await bellhop.keyFor(anna.employeeId)).api

  const stories: Record<string, () => Promise<void>> = {
    async 'do-not-disturb is switched'() {
      for (const enabled of [true, false]) wellAnswered(await company.api.put(doNotDisturb, { enabled }))
    },
    async 'do-not-disturb expires'() {
      await fixture.letDoNotDisturbExpire()
      await fixture.runJobs('employees.end_do_not_disturb')
    },
    async 'a phone comes and goes'() {
      await phones.anna.register()
      await phones.anna.leave()
    },
    async 'a phone is forgotten'() {
      await phones.bob.register()
      await phones.bob.expire()
      await removeExpiredRegistrations(db)
    },
    async 'a phone is added and removed'() {
      const phone = await fixture.newPhone(anna.employeeId)
      await phone.register()
      await db.tx((tx) => removeDevice(tx, phone.id))
    },
    async 'a page becomes a phone'() {
      wellAnswered(await annas.post('/softphone_credentials'))
    },
    async 'a caller is answered'() {
      const callId = await fixture.newCall()
      await fixture.waitFor(callId, everybody)
      await fixture.answer(callId, bob.employeeId, { wasRungAlone: true })
      await fixture.end(callId, { wasAnswered: true })
    },
    async 'a caller gives up'() {
      const callId = await fixture.newCall()
      await fixture.waitFor(callId, everybody)
      await db.tx((tx) => unqueueCall(tx, fixture.refOf(callId)))
      await fixture.end(callId)
    },
    async 'a call is placed'() {
      await fixture.end(await fixture.placeCall(anna.employeeId))
    },
    async 'a call is transferred'() {
      const callId = await fixture.newCall()
      await fixture.answer(callId, company.employeeId)
      const ends = { fromEmployeeId: company.employeeId, toEmployeeId: anna.employeeId }
      const transferId = await db
        .tx((tx) => openTransfer(tx, company, callId, { toEmployeeId: anna.employeeId, isBlind: false }))
        .catch(refused)
      if (transferId) {
        const ref = { ...fixture.refOf(callId), transferId, ...ends }
        await db.tx((tx) => transferAnswered(tx, ref))
        await db.tx((tx) => transferCancelled(tx, ref))
      }
      await fixture.end(callId)
    },
    async 'an edge dies'() {
      const edgeId = await fixture.newEdge()
      const phone = await fixture.newPhone(bob.employeeId)
      await phone.register(edgeId)
      await fixture.waitFor(await fixture.newCall(edgeId), everybody, edgeId)
      expect(await deregisterEdge(db, edgeId)).toBe(true)
    },
    async 'an employee comes and goes'() {
      const email = `${randomUUID()}@example.com`
      const { body } = await company.api.post('/employees', { name: 'Cleo', email })
      // Another worker may be sending the e-mail.
      const path = new URL(await vi.waitFor(() => linkTo(bellhop, email), PATIENCE)).pathname
      const browser = formBrowser(bellhop.url, { address: `2001:db8:${randomUUID().slice(0, 4)}::1` })
      const answers = await Promise.all([
        browser.submit(path, path, { password: PASSWORD }).catch(() => undefined),
        company.api.patch(`/employees/${body.id}`, { email: `${randomUUID()}@example.com` }),
        company.api.delete(`/employees/${body.id}`),
      ])
      for (const answer of answers) if (answer) wellAnswered(answer)
    },
  }

  const failures: unknown[] = []
  await Promise.all(
    Object.entries(stories).map(async ([story, run]) => {
      for (let round = 0; round < ROUNDS; round++)
        await run().catch((error: unknown) => failures.push({ story, error }))
    }),
  )
  expect(failures).toEqual([])
  expect(bellhop.logged.filter((line) => /deadlock|40P01/.test(line))).toEqual([])

  const wronglyTold = await db.sql`
    select name, told_status from employees
    where company_id = ${company.companyId} and coalesce(told_status, 'logged_out') <> employee_status(
      company_id, id, wants_no_calls(do_not_disturb_activated_at, do_not_disturb_expires_at), invitation_pending
    )`
  expect(wronglyTold).toEqual([])
  expect(await db.sql`select from call_queue where company_id = ${company.companyId}`).toHaveLength(0)
})

/** Done, or refused because of a concurrent change. */
function wellAnswered({ status }: Pick<ApiReply, 'status'>): void {
  expect(status).toBeLessThan(500)
}

/** The coworker may be busy. */
function refused(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error
}

import { expect } from 'vitest'

import {
  answerCall,
  endCall,
  enterInbox,
  queueCall,
  startInboundCall,
  startOutboundCall,
} from '../../../server/modules/calls/index.ts'
import { removeRegistration, saveRegistration } from '../../../server/modules/devices/index.ts'
import { newEdgeId, registerEdge } from '../../../server/modules/edges/index.ts'
import { newSignInEmployee } from '../browser/sign-in.ts'
import type { Harness } from '../index.ts'
import { newDevice } from './edge.ts'
import { newNumber } from './telephony.ts'

const HOUR_MS = 3_600_000

/** A company whose calls and devices are rows, written as an edge writes them, without media or SIP. */
export async function openQueueFixture(bellhop: Harness) {
  const { db, clock } = bellhop
  const company = await bellhop.newCompany()
  const { companyId } = company
  const anna = await newSignInEmployee(bellhop, company)
  const numberId = await newNumber(company)
  // An employee whom a number rings cannot be deleted.
  await db.sql`delete from call_targets where company_id = ${companyId}`

  async function newEdge(): Promise<string> {
    const edgeId = await newEdgeId(db.sql)
    await registerEdge(db.sql, edgeId, { sip_host: '127.0.0.1', sip_port: 5060 })
    return edgeId
  }
  const edgeId = await newEdge()

  const callAt = (edge: string) => ({
    companyId,
    numberId,
    edgeId: edge,
    remoteNumber: '+4520112233',
    startedAt: clock.now(),
  })
  const refOf = (callId: string) => ({ companyId, callId })

  return {
    company,
    anna,
    edgeId,
    newEdge,
    refOf,
    async newPhone(employeeId: string) {
      const { id, username } = await newDevice(bellhop, { employeeId })
      const lineAt = (edge: string) => ({ username, key: 'line', edgeId: edge })
      return {
        id,
        register: (edge = edgeId) =>
          saveRegistration(db, { ...lineAt(edge), binding: {}, forMs: HOUR_MS }).then((kept) =>
            expect(kept).toBe(true),
          ),
        leave: (edge = edgeId) => removeRegistration(db, lineAt(edge)),
        expire: () =>
          db.sql`update device_registrations set expires_at = now() - interval '1 hour' where device_id = ${id}`,
      }
    },
    newCall: (edge = edgeId) => db.step((tx) => startInboundCall(tx, callAt(edge))),
    /** As an edge stores a call that it has yet to answer: it is not in the inbox. */
    newUnansweredCall: (edge = edgeId) =>
      db.step((tx) => startInboundCall(tx, callAt(edge), { onNotInInbox() {} })),
    enterInbox: (callId: string) => db.step((tx) => enterInbox(tx, refOf(callId))),
    placeCall: (employeeId: string) => db.tx((tx) => startOutboundCall(tx, callAt(edgeId), employeeId)),
    waitFor(callId: string, employeeIds: string[], edge = edgeId) {
      const place = { numberId, edgeId: edge, employeeIds, joinedAt: clock.now(), isFirst: true }
      return db.step((tx) => queueCall(tx, refOf(callId), place))
    },
    answer: (callId: string, employeeId: string, known: { wasRungAlone?: boolean } = {}) =>
      db.step((tx) =>
        answerCall(tx, refOf(callId), {
          employeeId,
          at: clock.now(),
          state: 'answered',
          recording: 'off',
          ...known,
        }),
      ),
    end: (callId: string, known: { wasAnswered?: boolean } = {}) =>
      db.step((tx) => endCall(tx, refOf(callId), { at: clock.now(), reason: 'customer_hung_up', ...known })),
    /** Runs the jobs of this name now, even if they are not due. */
    async runJobs(name: string): Promise<void> {
      await db.sql`
        select graphile_worker.reschedule_jobs(array_agg(id), run_at => now() - interval '1 second')
        from graphile_worker.jobs where task_identifier = ${name}`
      await bellhop.drainJobs()
      const [failed] = await db.sql`select last_error from graphile_worker.jobs where last_error is not null`
      expect(failed).toBeUndefined()
    },
    /** Switches do not disturb on, with an expiry that has just passed. */
    async letDoNotDisturbExpire(): Promise<void> {
      const expires_at = new Date(clock.now().getTime() + HOUR_MS).toISOString()
      const path = `/employees/${anna.id}/do_not_disturb`
      expect((await company.api.put(path, { enabled: true, expires_at })).status).toBe(200)
      await db.sql`
        update employees set do_not_disturb_expires_at = now() - interval '1 second'
        where id = ${anna.employeeId} and do_not_disturb_expires_at is not null`
    },
  }
}

export type QueueFixture = Awaited<ReturnType<typeof openQueueFixture>>

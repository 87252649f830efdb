import { expect, test } from 'vitest'

import { queueCall, startInboundCall } from '../../server/modules/calls/index.ts'
import { eventually } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { expectNoLiveRows } from '../harness/processes/no-live-rows.ts'

const { bellhop, dial, hire, edge } = await openPhoneSystem()
const CALLERS = 1_000

test('of a thousand waiting callers, the first are served first, each by one employee who rings once', async () => {
  const company = await bellhop.newCompany()
  const { companyId } = company
  const anna = await hire(company, 'Anna', 700)
  const bob = await hire(company, 'Bob', 800)
  for (const employee of [anna, bob]) employee.leave()
  const flow = { type: 'TransferConfig', employee_ids: [anna.id, bob.id] }
  const { number, uuid: numberId } = await numberWith(bellhop, company, flow)
  const statuses = async () =>
    (await company.api.get('/employees')).body.employees.map((each: { status: string }) => each.status)
  await eventually(async () => expect(await statuses()).toEqual(['logged_out', 'logged_out', 'logged_out']))

  const first = await Promise.all([1, 2, 3, 4].map((place) => join(place)))
  // The others join as calls do; their edge is this one, which has no media for them.
  const employeeIds = [anna.uuid, bob.uuid]
  const startedAt = bellhop.clock.now()
  const callIds = await bellhop.db.tx(async (tx) => {
    const ids: string[] = []
    for (let place = 5; place <= CALLERS; place++) {
      const remoteNumber = `+45${30_000_000 + place}`
      const call = { companyId, numberId, edgeId: edge.id, remoteNumber, startedAt }
      ids.push(await startInboundCall(tx, call))
    }
    return ids
  })
  for (const [index, callId] of callIds.entries()) {
    const joinedAt = new Date(startedAt.getTime() + 5 + index)
    const waiting = { numberId, edgeId: edge.id, employeeIds, joinedAt, isFirst: true }
    await bellhop.db.tx((tx) => queueCall(tx, { companyId, callId }, waiting))
  }

  async function join(place: number) {
    const caller = await dial(number, { from: `+45${30_000_000 + place}` })
    await caller.connected()
    return caller
  }

  await eventually(async () => expect(await waiting()).toBe(CALLERS))
  async function waiting() {
    const [row] = await bellhop.db.sql`
      select count(*)::int as count from call_queue where company_id = ${companyId}`
    return row!.count
  }
  const order = await bellhop.db.sql`
    select c.remote_number from call_queue q join calls c on c.company_id = q.company_id and c.id = q.call_id
    where q.company_id = ${companyId} order by q.joined_at, q.call_id limit 4`
  anna.registerAgain()
  const served: string[] = []
  for (let turn = 0; turn < 4; turn++) {
    if (turn === 2) bob.registerAgain()
    const employee = turn < 2 ? anna : bob
    const phone = await employee.rings()
    served.push((phone.call.from.uri as { user: string }).user)
    const [rings] = await bellhop.db.sql`
      select count(*)::int as count from call_offers where company_id = ${companyId} and not declined`
    expect(rings!.count).toBe(1)
    expect(employee.unanswered()).toBe(0)
    await phone.answer()
    await phone.hears(440)
    if (turn !== 1) phone.hangUp()
  }
  expect(served).toEqual(order.map((row) => row.remote_number))
  expect(await waiting()).toBe(CALLERS - 4)
  for (const caller of first) caller.hangUp()
  await edge.stop()
  await expectNoLiveRows(bellhop)
})

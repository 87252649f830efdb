import { expect, test } from 'vitest'

import { answerCall, endCall, queueCall, startInboundCall } from '../server/modules/calls/index.ts'
import { newNumber } from './harness/calls/telephony.ts'
import { countReads } from './harness/counted-reads.ts'
import { harness } from './harness/index.ts'

const CALLS = 10
const OTHERS = 300

test('a call reads no more rows of other calls when there are many, whenever its statements were planned', async () => {
  const { db, newCompany } = await harness()
  const company = await newCompany()
  const { companyId, employeeId } = company
  const numberId = await newNumber(company)
  const [edge] = await db.sql<{ id: string }[]>`
    insert into edges (sip_host, sip_port) values ('127.0.0.1', 1) returning id`
  const edgeId = edge!.id
  const { db: busy, readBy } = countReads(db, 'calls')

  const callAll = async () => {
    for (let serial = 0; serial < CALLS; serial++) {
      const at = new Date()
      const call = { companyId, numberId, edgeId, remoteNumber: '+4520000000', startedAt: at }
      const callId = await busy.tx((tx) => startInboundCall(tx, call))
      const ref = { companyId, callId }
      const place = { numberId, edgeId, employeeIds: [employeeId], joinedAt: at, isFirst: true }
      await busy.tx((tx) => queueCall(tx, ref, place))
      await busy.tx((tx) => answerCall(tx, ref, { employeeId, at, state: 'bridged', recording: 'off' }))
      await busy.tx((tx) => endCall(tx, ref, { at, reason: 'customer_hung_up' }))
    }
  }
  // Statistics of a night without calls.
  await db.sql.unsafe('vacuum analyze')
  const withFew = await readBy(callAll)
  for (const state of ['bridged', 'ended'])
    await busy.sql`
      insert into calls (company_id, business_number_id, edge_id, direction, remote_number, state)
      select ${companyId}, ${numberId}, ${edgeId}, 'inbound', '+45' || (30000000 + serial), ${state}
      from generate_series(1, ${OTHERS}) as serial`
  const withMany = await readBy(callAll)
  expect(withMany).toBeLessThan(1.5 * withFew)
})

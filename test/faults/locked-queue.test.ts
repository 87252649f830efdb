import { expect, test } from 'vitest'

import { openDatabase } from '../../server/platform/db/database.ts'
import { afterFile } from '../harness/after-file.ts'
import { eventually } from '../harness/calls/call-events.ts'
import { lockQueue, waitingStatements } from '../harness/calls/held-lock.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'

const { bellhop, dial, hire } = await openPhoneSystem()

test('calls of a company that wait for its queue leave connections to the calls of others', async () => {
  const outside = openDatabase(bellhop.db.address, { poolSize: 2 })
  afterFile(() => outside.close())
  const stuck = await bellhop.newCompany()
  const other = await bellhop.newCompany()
  const anna = await hire(stuck, 'Anna', 700)
  const bob = await hire(other, 'Bob', 800)
  const busy = await numberWith(bellhop, stuck, { type: 'TransferConfig', employee_ids: [anna.id] })
  const quiet = await numberWith(bellhop, other, { type: 'TransferConfig', employee_ids: [bob.id] })

  const unlock = await lockQueue(outside, stuck.companyId)
  const callers = bellhop.parts.config.databasePoolSize + 2
  for (let place = 0; place < callers; place++) await dial(busy.number, { from: `+45${30_000_000 + place}` })
  await eventually(async () => expect(await waitingStatements(outside)).toBeGreaterThan(1))

  const caller = await dial(quiet.number)
  await caller.connected()
  const phone = await bob.rings()
  await phone.answer()
  await phone.hears(440)
  expect(await waitingStatements(outside)).toBeGreaterThan(1)

  unlock()
  const queued = async () =>
    (await outside.sql`select from call_queue where company_id = ${stuck.companyId}`).length
  await eventually(async () => expect(await queued()).toBe(callers))
})

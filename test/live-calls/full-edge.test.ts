import { expect, test } from 'vitest'

import { lastCall } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'

const CALLS_MAX = 10
const { bellhop, dial, hire } = await openPhoneSystem({ EDGE_CALLS_MAX: String(CALLS_MAX) })

async function newNumber() {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  return { company, number }
}

const REFUSED = { why: 'refused', by: 'peer', status: 503 }

test('a company with many calls leaves the last places of an edge to others', async () => {
  const busy = await newNumber()
  const other = await newNumber()
  for (let place = 1; place < CALLS_MAX; place++) {
    const caller = await dial(busy.number)
    await caller.connected()
  }
  expect(await (await dial(busy.number)).ended()).toMatchObject(REFUSED)

  const caller = await dial(other.number)
  await caller.connected()
  expect(await lastCall(other.company)).toMatchObject({ to: other.number, direction: 'inbound' })
  expect(await (await dial(other.number)).ended(), 'the edge is full').toMatchObject(REFUSED)
})

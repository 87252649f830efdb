import { expect, test } from 'vitest'

import { CALL_ADMISSION } from '../../server/telephony/limits.ts'
import { lastCall } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { DEADLINE } from '../harness/peers/cable-socket.ts'

const load = { utilisation: 0 }
const { bellhop, dial, edge, hire } = await openPhoneSystem({}, { utilisation: () => load.utilisation })

/** Some of them begin before the company has begun more than others. */
const FLOOD = CALL_ADMISSION.startsSpared * 3

async function held(): Promise<number> {
  const { values } = await edge.metrics.getSingleMetric('bellhop_calls_held_total')!.get()
  return values[0]?.value ?? 0
}

/** A company whose number the edge remembers. */
async function companyWithCalls() {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const caller = await dial(number)
  await caller.connected()
  return { company, number }
}

test('the calls of a company that floods an overloaded edge wait until there is time for them', async () => {
  await companyWithCalls()
  const noisy = await companyWithCalls()
  const before = await held()
  load.utilisation = 1
  const flood = await Promise.all(Array.from({ length: FLOOD }, () => dial(noisy.number)))
  let connected = 0
  for (const caller of flood)
    caller.connected().then(
      () => connected++,
      () => {},
    )
  await expect.poll(held, DEADLINE).toBeGreaterThan(before)
  load.utilisation = 0
  // More than did not have to wait. On a slow machine, the last ones may have waited for too long.
  await expect.poll(async () => connected - (FLOOD - ((await held()) - before)), DEADLINE).toBeGreaterThan(0)
})

test('calls that wait for too long are refused, while those of another company and of emergency services get through', async () => {
  const quiet = await companyWithCalls()
  const noisy = await companyWithCalls()
  const before = await held()
  load.utilisation = 1
  const flood = await Promise.all(Array.from({ length: FLOOD }, () => dial(noisy.number)))
  const endings = flood.map((caller) => caller.ended())
  await expect.poll(held, DEADLINE).toBeGreaterThan(before)
  const caller = await dial(quiet.number)
  await caller.connected()
  const emergencyService = await dial(noisy.number, { headers: { priority: 'psap-callback' } })
  await emergencyService.connected()
  expect(await lastCall(quiet.company)).toMatchObject({ to: quiet.number, direction: 'inbound' })
  expect(await Promise.race(endings)).toMatchObject({ why: 'refused', by: 'peer', status: 503 })
  load.utilisation = 0
})

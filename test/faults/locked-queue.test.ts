import { expect, onTestFinished, test } from 'vitest'

import { withQueue } from '../../server/modules/queue/index.ts'
import { openDatabase } from '../../server/platform/db/database.ts'
import { afterFile } from '../harness/after-file.ts'
import { eventually } from '../harness/calls/call-events.ts'
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

  const unlock = await lockQueue(stuck.companyId)
  const callers = bellhop.parts.config.databasePoolSize + 2
  for (let place = 0; place < callers; place++) await dial(busy.number, { from: `+45${30_000_000 + place}` })
  const waiting = async () =>
    (await outside.sql`select from pg_locks where not granted and locktype = 'advisory'`).length
  await eventually(async () => expect(await waiting()).toBeGreaterThan(1))

  const caller = await dial(quiet.number)
  await caller.connected()
  const phone = await bob.rings()
  await phone.answer()
  await phone.hears(440)
  expect(await waiting()).toBeGreaterThan(1)

  unlock()
  const queued = async () =>
    (await outside.sql`select from call_queue where company_id = ${stuck.companyId}`).length
  await eventually(async () => expect(await queued()).toBe(callers))

  /** Until the returned function is called, or the test ends. */
  async function lockQueue(companyId: string): Promise<() => void> {
    let release!: () => void
    const released = new Promise<void>((resolve) => (release = resolve))
    onTestFinished(release)
    await new Promise<void>((isLocked, failed) => {
      const holding = outside.tx((tx) =>
        withQueue(tx, companyId, async () => {
          await tx`select`
          isLocked()
          await released
        }),
      )
      holding.catch(failed)
    })
    return release
  }
})

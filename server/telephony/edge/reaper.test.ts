import { onTestFinished, expect, test, vi } from 'vitest'

import { newCall } from '../../../test/harness/calls/telephony.ts'
import { harness } from '../../../test/harness/index.ts'
import { createTestClock } from '../../../test/harness/test-clock.ts'
import { newEdgeId, registerEdge } from '../../modules/edges/index.ts'
import { encodeId } from '../../platform/ids.ts'
import { startReaper } from './reaper.ts'

const bellhop = await harness()
const { sql } = bellhop.db
const PATIENCE = { timeout: 30_000 }

/** Time passes only in steps, each once everything due in the previous one is done. */
function openSteps() {
  const clock = createTestClock()
  let plans = 0
  return {
    clock: {
      now: clock.now,
      after(ms: number, run: () => void) {
        plans++
        return clock.after(ms, run)
      },
    },
    async pass(ms: number) {
      const before = plans
      clock.advance(ms)
      await vi.waitFor(() => expect(plans).toBeGreaterThan(before), PATIENCE)
    },
  }
}

test('the calls of an edge end 15 seconds after its last heartbeat, however slow the machine', async () => {
  const company = await bellhop.newCompany()
  const edge_id = await newEdgeId(sql)
  await registerEdge(sql, edge_id, { sip_host: '127.0.0.1', sip_port: 5060 })
  const call = await newCall(company, { edge_id, state: 'bridged', ended_at: null })
  await sql`
    insert into internal_calls (
      company_id, edge_id, from_employee_id, from_extension, to_employee_id, to_extension, started_at
    ) values (${company.companyId}, ${edge_id}, new_id(), '100', new_id(), '101', now())`
  const steps = openSteps()
  onTestFinished(startReaper({ db: bellhop.db, clock: steps.clock, log: bellhop.parts.log }))
  // Before that, the reaper itself may have been without the database.
  for (let passedMs = 0; passedMs < 15_000; passedMs += 5_100) await steps.pass(5_100)

  // The age stays the same: an edge that is not reaped by now never will be.
  const beSilent = () =>
    sql`update edges set alive_at = now() - interval '12.9 seconds' where id = ${edge_id}`
  await beSilent()
  await steps.pass(5_100)
  await vi.waitFor(async () => {
    await beSilent()
    expect((await company.api.get(`/calls/${encodeId('cal', call)}`)).body.state).toBe('ended')
  }, PATIENCE)
  const [internal] = (await company.api.get('/calls?direction=internal')).body.calls
  expect(internal).toMatchObject({ state: 'ended', from_employee: null })
})

test('an edge that cannot be reaped does not block others, and is reaped later', async () => {
  const [refused, other] = [await bellhop.newCompany(), await bellhop.newCompany()]
  const calls: string[] = []
  for (const [company, silence] of [
    [refused, '1 hour'],
    [other, '1 minute'],
  ] as const) {
    const edge_id = await newEdgeId(sql)
    await registerEdge(sql, edge_id, { sip_host: '127.0.0.1', sip_port: 5060 })
    await sql`update edges set alive_at = now() - ${silence}::interval where id = ${edge_id}`
    calls.push(await newCall(company, { edge_id, state: 'bridged', ended_at: null }))
  }
  await sql.unsafe(`
    create function refuse() returns trigger language plpgsql
    as $$ begin raise exception 'the test refuses it' using errcode = '23514'; end $$;
    create trigger refuse before update on calls
    for each row when (new.company_id = '${refused.companyId}') execute function refuse()`)
  const stopRefusing = () => sql.unsafe('drop function if exists refuse cascade')
  onTestFinished(async () => {
    await stopRefusing()
  })
  const states = async () => [
    (await refused.api.get(`/calls/${encodeId('cal', calls[0]!)}`)).body.state,
    (await other.api.get(`/calls/${encodeId('cal', calls[1]!)}`)).body.state,
  ]
  const steps = openSteps()
  onTestFinished(startReaper({ db: bellhop.db, clock: steps.clock, log: bellhop.parts.log }))
  for (let passedMs = 0; passedMs < 15_000; passedMs += 5_100) await steps.pass(5_100)
  await vi.waitFor(async () => expect(await states()).toEqual(['bridged', 'ended']), PATIENCE)
  await stopRefusing()
  await steps.pass(5_100)
  await vi.waitFor(async () => expect(await states()).toEqual(['ended', 'ended']), PATIENCE)
})

import { expect } from 'vitest'

import { eventually } from '../calls/call-events.ts'
import type { Harness } from '../index.ts'

/** Holds after all calls have ended: no call is live, nobody waits, rings or is busy, and all presence is published. */
export async function expectNoLiveRows({ db: { sql } }: Harness): Promise<void> {
  await eventually(async () => {
    expect({
      calls: await sql`select id, state from calls where state <> 'ended'`,
      internal: await sql`select id, state from internal_calls where state <> 'ended'`,
      queue: await sql`select call_id from call_queue`,
      offers: await sql`select call_id, employee_id from call_offers`,
      parked: await sql`select call_id from parked_calls`,
      transfers: await sql`select id, state from transfers where state in ('ringing', 'consulting')`,
      busy: await sql`
        select name, status from (
          select name, employee_status(company_id, id, false, invitation_pending) as status from employees
        ) e where status not in ('available', 'logged_out')`,
      untold: await sql`
        select name, told_status from employees
        where coalesce(told_status, 'logged_out') <> employee_status(
          company_id, id, wants_no_calls(do_not_disturb_activated_at, do_not_disturb_expires_at), invitation_pending
        )`,
    }).toEqual({
      calls: [],
      internal: [],
      queue: [],
      offers: [],
      parked: [],
      transfers: [],
      busy: [],
      untold: [],
    })
  })
  const unfinished = await sql`
    select id from calls where end_reason is null or ended_at is null
      or (answered_at is not null and not exists (
        select from call_employees e where e.company_id = calls.company_id and e.call_id = calls.id
      ))`
  expect(unfinished).toEqual([])
}

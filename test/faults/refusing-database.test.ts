import { expect, onTestFinished, test } from 'vitest'

import { withQueue } from '../../server/modules/queue/index.ts'
import { callIs, eventually, lastCall } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import type { TestCompany } from '../harness/index.ts'
import { startEdgeProcess } from '../harness/processes/edge-process.ts'
import { expectNoLiveRows } from '../harness/processes/no-live-rows.ts'

const RINGBACK = 425
const BELLHOP_SECRET = 'a secret of all processes of the test'
const phoneSystem = await openPhoneSystem({ BELLHOP_SECRET })
const { bellhop, dial } = phoneSystem
const { sql } = bellhop.db

/** An edge in a separate process, whose statements PostgreSQL cancels after a moment. */
const edge = await startEdgeProcess(
  bellhop.db.address,
  { BELLHOP_SECRET, SIP_TRUNKS: JSON.stringify([phoneSystem.trunk]) },
  { statementMs: 500 },
)
phoneSystem.connectCarrier('process', edge.port)
let hasEnded = false
void edge.ended.then(() => (hasEnded = true))

/** Its callers wait for Anna. */
async function annasNumber() {
  const company = await bellhop.newCompany()
  const anna = await phoneSystem.hireAt(edge.port)(company, 'Anna', 700)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  return { company, anna, number }
}

async function ringing() {
  const { company, anna, number } = await annasNumber()
  const customer = await dial(number, { over: 'process' })
  await customer.connected()
  return { company, anna, customer, phone: await anna.rings() }
}

/** Another session holds the company's queue lock, until the returned function releases it. */
async function holdQueue({ companyId }: TestCompany): Promise<() => Promise<void>> {
  let release!: () => void
  const released = new Promise<void>((resolve) => (release = resolve))
  let held!: Promise<void>
  await new Promise<void>((resolve) => {
    held = bellhop.db.tx((tx) =>
      withQueue(tx, companyId, async (queue) => {
        // Resolves once the preceding lock is taken.
        await queue`select`
        resolve()
        await released
      }),
    )
  })
  return () => {
    release()
    return held
  }
}

const statusOf = async (company: TestCompany, id: string) =>
  (await company.api.get(`/employees/${id}`)).body.status

test('a phone declines while another session holds the queue lock: statements time out, and the call continues', async () => {
  const { company, anna, customer, phone } = await ringing()
  const giveBack = await holdQueue(company)
  phone.decline()
  // Long enough that PostgreSQL cancelled one attempt, and another one was made.
  await eventually(() => expect(edge.stderr().match(/57014/g)?.length).toBeGreaterThan(1))
  await customer.hears(RINGBACK)
  expect(hasEnded).toBe(false)
  await giveBack()
  await eventually(async () => expect(await statusOf(company, anna.id)).toBe('available'))
  await callIs(company, 'queued')
  customer.hangUp()
  await expectNoLiveRows(bellhop)
  expect(hasEnded).toBe(false)
})

/** How PostgreSQL responds to every change of the company's calls, until the returned function ends it. */
async function refuseChanges({ companyId }: TestCompany, code: string): Promise<() => Promise<void>> {
  await sql.unsafe(`
    create function refuse() returns trigger language plpgsql
    as $$ begin raise exception 'the test refuses it' using errcode = '${code}'; end $$;
    create trigger refuse before update on calls
    for each row when (new.company_id = '${companyId}') execute function refuse()`)
  const stop = async () => {
    await sql.unsafe('drop function if exists refuse cascade')
  }
  onTestFinished(stop)
  return stop
}

/** What PostgreSQL does when a new call of the company commits, until the returned function ends it. */
async function atCommitOfCall({ companyId }: TestCompany, action: string): Promise<() => Promise<void>> {
  await sql.unsafe(`
    create function at_commit() returns trigger language plpgsql as $$ begin ${action}; return null; end $$;
    create constraint trigger at_commit after insert on calls deferrable initially deferred
    for each row when (new.company_id = '${companyId}') execute function at_commit()`)
  const stop = async () => {
    await sql.unsafe('drop function if exists at_commit cascade')
  }
  onTestFinished(stop)
  return stop
}

const said = (code: string) => edge.stderr().split(code).length - 1

test.each([
  ['a statement timeout', '57014'],
  ['a full disk', '53100'],
  ['a read-only database', '25006'],
  ['a failing disk', '58030'],
  ['an unavailable lock', '55P03'],
  ['a corrupt index', 'XX002'],
])('%s (%s) interrupts no conversation, and what happened is stored afterwards', async (_, code) => {
  const { company, anna, customer, phone } = await ringing()
  const stopRefusing = await refuseChanges(company, code)
  await phone.answer()
  await eventually(() => expect(said(code)).toBeGreaterThan(1))
  await Promise.all([customer.hears(700), phone.hears(440)])
  await callIs(company, 'queued')
  await stopRefusing()
  await callIs(company, 'bridged')
  customer.hangUp()
  expect(await phone.ended()).toEqual({ why: 'hungUp', by: 'peer' })
  expect(await callIs(company, 'ended')).toMatchObject({ employees: [{ id: anna.id }] })
  await expectNoLiveRows(bellhop)
  expect(hasEnded).toBe(false)
})

test('a write that the database will never accept is abandoned, and the conversation continues', async () => {
  const { company, customer, phone } = await ringing()
  const stopRefusing = await refuseChanges(company, '23514')
  await phone.answer()
  await eventually(() => expect(edge.stderr()).toContain('could not be stored'))
  await Promise.all([customer.hears(700), phone.hears(440)])
  await stopRefusing()
  customer.hangUp()
  expect(await phone.ended()).toEqual({ why: 'hungUp', by: 'peer' })
  await expectNoLiveRows(bellhop)
})

test('a call that was answered enters the inbox as soon as the database accepts it', async () => {
  const company = await bellhop.newCompany()
  const anna = await phoneSystem.hireAt(edge.port)(company, 'Anna', 700)
  const { number } = await numberWith(bellhop, company, {
    type: 'PhoneMenuConfig',
    welcome: 'Press one.',
    menu_options: [{ digit: '1', action_type: 'TransferConfig', employee_ids: [anna.id] }],
  })
  const threads = async () => (await company.api.get('/inbox')).body.threads
  const stopRefusing = await refuseChanges(company, '53100')
  const before = said('53100')
  const customer = await dial(number, { over: 'process' })
  await customer.connected()
  await eventually(() => expect(said('53100')).toBeGreaterThan(before + 1))
  expect(await threads()).toEqual([])
  await stopRefusing()
  await eventually(async () => expect(await threads()).toHaveLength(1))
  expect((await lastCall(company)).state).not.toBe('ended')
  customer.hangUp()
  await expectNoLiveRows(bellhop)
})

test('a caller whose queue entry cannot be stored gets the no-answer flow', async () => {
  const { company, number } = await annasNumber()
  const stopRefusing = await refuseChanges(company, '23514')
  const customer = await dial(number, { over: 'process' })
  await customer.connected()
  await customer.ended()
  await eventually(() => expect(edge.stderr()).toContain('the end of a call could not be stored'))
  await stopRefusing()
  await expectNoLiveRows(bellhop)
  expect(edge.stderr()).toContain('failed to queue a call')
  expect(hasEnded).toBe(false)
})

test('a caller is answered while their call is committed, and the call goes on after that', async () => {
  const { company, number } = await annasNumber()
  await atCommitOfCall(company, 'perform pg_advisory_xact_lock(98)')
  const customer = await bellhop.db.tx(async (tx) => {
    await tx`select pg_advisory_xact_lock(98)`
    const caller = await dial(number, { over: 'process' })
    await caller.connected()
    expect(await lastCall(company)).toBeUndefined()
    return caller
  })
  await callIs(company, 'queued')
  await customer.hears(RINGBACK)
  customer.hangUp()
  await expectNoLiveRows(bellhop)
})

test('the call of a caller who hangs up while it is committed has ended', async () => {
  const { company, number } = await annasNumber()
  await atCommitOfCall(company, 'perform pg_advisory_xact_lock(98)')
  await bellhop.db.tx(async (tx) => {
    await tx`select pg_advisory_xact_lock(98)`
    const caller = await dial(number, { over: 'process' })
    await caller.connected()
    caller.hangUp()
    await caller.ended()
    expect(await lastCall(company)).toBeUndefined()
  })
  await callIs(company, 'ended')
  await expectNoLiveRows(bellhop)
})

test('a caller who was answered is hung up if their call cannot be committed, and the next one is served', async () => {
  const { company, number } = await annasNumber()
  const stopFailing = await atCommitOfCall(company, `raise exception 'full' using errcode = '53100'`)
  const refused = await dial(number, { over: 'process' })
  await refused.connected()
  expect(await refused.ended()).toEqual({ why: 'hungUp', by: 'peer' })
  await eventually(() => expect(edge.stderr()).toContain('a call was hung up because it could not be stored'))
  expect(await lastCall(company)).toBeUndefined()
  await stopFailing()
  const customer = await dial(number, { over: 'process' })
  await callIs(company, 'queued')
  await customer.hears(RINGBACK)
  customer.hangUp()
  await expectNoLiveRows(bellhop)
  expect(hasEnded).toBe(false)
})

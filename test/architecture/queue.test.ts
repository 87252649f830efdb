import { beforeAll, describe, expect, test } from 'vitest'

import { readSources, type Source, withoutComments } from './sources.ts'

/** What decides who waits, rings or is available (`employee_status` in db/schema.sql), and how it is written. */
const GUARDED: RegExp[] = [
  /\b(insert into|update|delete from)\s+(call_queue|call_offers|transfers|internal_calls|device_registrations)\b/,
  // Deleting these deletes registrations too, and devices with their credential.
  /\bdelete from\s+(employees|devices|edges|sessions|api_keys|oauth_grants)\b/,
  /\bupdate employees\b[^`]*\b(told_status|do_not_disturb_\w+|invitation_pending)\s*=/,
  /\b(insert into calls\b[^`]*\bcontroller_id|update calls\b[^`]*\b(controller_id\s*=|state\s*=\s*'ended'))/,
]

/** Functions that write without the queue lock, each with its reason. */
const UNGUARDED = new Set([
  'refreshRegistration',
  'deleteEdge',
  // Without devices: sessions and grants that have none, or none yet.
  'deleteDeadSessions',
  'deletePendingSession',
  'deleteExpired',
])

describe('the code', () => {
  let sources: Source[]
  beforeAll(async () => {
    sources = await readSources(['bin', 'server', 'web'])
  })

  test('writes queue entries, offers and presence only while it holds the queue lock of the company', () => {
    expect(sources.flatMap(writesWithoutQueue)).toEqual([])
    const writers = new Set(sources.flatMap((source) => guardedWriters(source).map(({ name }) => name)))
    expect(writers.size).toBeGreaterThan(20)
    expect([...UNGUARDED].filter((name) => !writers.has(name))).toEqual([])
  })
})

describe('the check itself', () => {
  test.each([
    'insert into call_queue (company_id)',
    'update call_offers set declined = true',
    'delete from call_offers o using call_queue q',
    "update transfers set state = 'failed'",
    'delete from\n      device_registrations where edge_id = ${edgeId}',
    'delete from devices where id = ${id}',
    'delete from employees where id = ${id}',
    'delete from sessions where id = ${id}',
    'delete from oauth_grants\n    where client_id = ${clientId}',
    'update employees set told_status = ${status(tx)}',
    'update employees\n    set do_not_disturb_activated_at = null',
    'update employees set password_hash = ${hash}, invitation_pending = false',
    "update calls set state = 'ended', ended_at = ${at}",
    'update calls set controller_id = ${employeeId}',
    'insert into calls (company_id, controller_id) values (${companyId}, ${employeeId})',
  ])('requires the queue lock to: %s', (statement) => {
    const path = 'server/modules/x/queries.ts'
    const written = (tx: string) =>
      `
      export const other = (tx: QueueTx) => tx\`select\`
      export async function write(tx: ${tx}, id: string) {
        await tx\`${statement}\`
      }`.replaceAll('\n      ', '\n')
    expect(writesWithoutQueue({ path, text: written('Tx') })).toEqual([
      expect.stringContaining(`${path} write`),
    ])
    expect(writesWithoutQueue({ path, text: written('QueueTx') })).toEqual([])
  })

  test.each([
    'select from call_queue where call_id = ${id}',
    "update calls set state = ${state} where state <> 'ended'",
    'update employees set name = ${name}, updated_at = now()',
    'insert into devices (company_id) values (${companyId})',
  ])('requires no queue lock to: %s', (statement) => {
    const text = `export async function write(tx: Tx) {\n  await tx\`${statement}\`\n}`
    expect(writesWithoutQueue({ path: 'server/modules/x/queries.ts', text })).toEqual([])
  })
})

function writesWithoutQueue(source: Source): string[] {
  return guardedWriters(source)
    .filter(({ name, code }) => !/\bQueueTx\b/.test(code) && !UNGUARDED.has(name))
    .map(({ name }) => `${source.path} ${name} writes who waits, rings or is free, but takes no QueueTx`)
}

/** The declarations of a file whose SQL writes what the queue lock protects. */
function guardedWriters({ text }: Source): { name: string; code: string }[] {
  const declarations = withoutComments(text).split(/^(?=(?:export |async |function |const |class ))/m)
  return declarations
    .filter((code) => GUARDED.some((guarded) => guarded.test(code)))
    .map((code) => ({ name: /\b(?:function|const|class) (\w+)/.exec(code)?.[1] ?? code, code }))
}

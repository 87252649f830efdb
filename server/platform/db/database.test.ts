import { EventEmitter, once } from 'node:events'
import { join } from 'node:path'

import { beforeAll, describe, expect, inject, test } from 'vitest'

import { afterFile } from '../../../test/harness/after-file.ts'
import { cloneDatabase } from '../../../test/harness/index.ts'
import {
  type Break,
  type PostgresProxy,
  startPostgresProxy,
} from '../../../test/harness/processes/postgres-proxy.ts'
import { PLATFORM_LIMITS } from '../limits.ts'
import { connect, type Database, openDatabase, type Queryable } from './database.ts'

const POOL_SIZE = 3

let direct: Database
let proxy: PostgresProxy
beforeAll(async () => {
  const clone = await cloneDatabase()
  direct = clone.db
  afterFile(async () => {
    await direct.close()
    await clone.drop()
  })
  await direct.sql`create table written (serial int primary key)`
  const { host, port } = inject('postgres')
  proxy = await startPostgresProxy(join(host, `.s.PGSQL.${port}`))
})

function openThroughProxy({ poolSize = POOL_SIZE } = {}): Database {
  const address = { ...direct.address, ...proxy.address }
  const db = openDatabase(address, { poolSize })
  afterFile(() => db.close())
  return db
}

/** As many concurrent transactions as there are connections: each continues only when all have begun. */
async function expectWholePool(db: Database): Promise<void> {
  let begun = 0
  const all = new EventEmitter()
  const allBegun = once(all, 'begun')
  const pids = await Promise.all(
    Array.from({ length: POOL_SIZE }, () =>
      db.tx(async (tx) => {
        const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
        if (++begun === POOL_SIZE) all.emit('begun')
        await allBegun
        return row!.pid
      }),
    ),
  )
  expect(new Set(pids).size).toBe(POOL_SIZE)
  expect(proxy.connections()).toBe(POOL_SIZE)
}

let serial = 0

/** Reads and writes without a pause, ignoring errors, until the faults stop. */
async function readAndWrite(db: Database, written: Set<number>, refused: Set<number>): Promise<void> {
  while (proxy.breaksLeft() > 0) {
    const mine = serial++
    const write = db.tx(async (tx) => {
      await tx`insert into written ${tx({ serial: mine })}`
    })
    const read = db.sql`select count(*) from written where serial > ${mine}`
    await write.then(
      () => written.add(mine),
      () => refused.add(mine),
    )
    await read.catch(() => {})
  }
}

const ways = ['end', 'reset'] as const
const breaks: Break[] = ['client_encoding', 'begin', 'insert', 'commit'].flatMap((word) =>
  ways.flatMap((how) => [
    { word, when: 'before it is heard' as const, how },
    { word, when: 'before its answer' as const, how },
  ]),
)

test.each(breaks)(
  'when connections $how at "$word" $when, every query settles and the pool recovers',
  async (at) => {
    const db = openThroughProxy()
    const written = new Set<number>()
    const refused = new Set<number>()
    proxy.breakAll(at, 10)
    await Promise.all(Array.from({ length: 8 }, () => readAndWrite(db, written, refused)))

    expect(refused.size).toBeGreaterThan(0)
    const rows = await direct.sql<{ serial: number }[]>`select serial from written`
    const found = new Set(rows.map((row) => row.serial))
    expect([...written].filter((mine) => !found.has(mine))).toEqual([])
    await expectWholePool(db)
    await db.close()
  },
)

test('while every connection closes at once, queries fail fast; then the pool recovers', async () => {
  const db = openThroughProxy()
  proxy.breakAll({ word: 'client_encoding', when: 'before it is heard', how: 'end' }, Infinity)
  const writes = Array.from({ length: 20 }, () => db.tx((tx) => tx`select 1`))
  const answers = await Promise.allSettled([...writes, db.sql`select 1`])
  expect(answers.filter(({ status }) => status === 'fulfilled')).toEqual([])
  proxy.breakAll({ word: 'client_encoding', when: 'before it is heard', how: 'end' }, 0)
  await expectWholePool(db)
  await db.close()
})

test('connections that are no longer used are closed, and opened again when needed', async () => {
  const { db, drop } = await cloneDatabase()
  afterFile(async () => {
    await db.close()
    await drop()
  })
  const sql = connect(db.address, { max: 4, idleMs: 50, application_name: 'bursts' })
  afterFile(() => sql.end())
  const connections = async () => {
    const rows = await db.sql`select from pg_stat_activity where application_name = 'bursts'`
    return rows.length
  }
  const burst = () => Promise.all([1, 2, 3, 4].map((n) => sql.begin((tx) => tx`select ${n}::int as n`)))
  for (let times = 0; times < 2; times++) {
    expect((await burst()).map(([row]) => row!.n)).toEqual([1, 2, 3, 4])
    await expect.poll(connections, { timeout: 10_000 }).toBe(1)
  }
})

test('transactions are not starved by constant reads, nor reads by transactions', async () => {
  const db = openThroughProxy()
  const enough = new AbortController()
  let reads = 0
  const reading = Array.from({ length: POOL_SIZE * 4 }, async () => {
    while (!enough.signal.aborted) {
      await db.sql`select ${reads++}::int`
    }
  })
  for (let round = 0; round < 10; round++) await expectWholePool(db)
  enough.abort()
  await Promise.all(reading)
  expect(reads).toBeGreaterThan(POOL_SIZE * 4)
})

test('queries and transactions do not wait behind a slow query while another connection is free', async () => {
  const db = openThroughProxy()
  let slow: Promise<unknown> = Promise.resolve()
  await db.tx(async (tx) => {
    await tx`lock table written in access exclusive mode`
    slow = db.sql`select count(*) from written`.then((rows) => rows)
    await expect
      .poll(
        () => direct.sql`
          select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'
            and clock_timestamp() - query_start > ${PLATFORM_LIMITS.slowQueryMs * 2} * interval '1 ms'`,
      )
      .toHaveLength(1)
    await Promise.all(Array.from({ length: 9 }, () => db.sql`select 1`))
    await Promise.all(Array.from({ length: 9 }, () => db.tx((other) => other`select 1`)))
  })
  await slow
})

test('a concurrent query in a failed transaction writes nothing after the rollback', async () => {
  const failure = new EventEmitter()
  const over = once(failure, 'over')
  let late: Promise<unknown> | undefined
  const failing = direct.tx(async (tx) => {
    late = over.then(() => tx`insert into written ${tx({ serial: -1 })}`)
    await tx`select 1 / 0`
  })
  await expect(failing).rejects.toThrow('division by zero')
  failure.emit('over')
  await expect(late).rejects.toThrow('the transaction is over')
  expect(await direct.sql`select from written where serial = -1`).toHaveLength(0)
})

test('a transaction in which a query failed rejects, even if the error was caught', async () => {
  const failing = direct.tx(async (tx) => {
    await tx`insert into written ${tx({ serial: -2 })}`
    await tx`select 1 / 0`.catch(() => {})
  })
  await expect(failing).rejects.toThrow('division by zero')
  expect(await direct.sql`select from written where serial = -2`).toHaveLength(0)
})

test('of the statements that a transaction sends at once, none runs after one that failed', async () => {
  await direct.sql`create sequence late_statements`
  const failing = direct.tx((tx) =>
    Promise.all([
      tx`insert into written ${tx({ serial: -3 })}`,
      tx`select 1 / 0`,
      tx`select nextval('late_statements')`,
    ]),
  )
  await expect(failing).rejects.toThrow('division by zero')
  expect(await direct.sql`select from written where serial = -3`).toHaveLength(0)
  expect(await direct.sql`select is_called from late_statements`).toEqual([{ is_called: false }])
})

test('a value that cannot be written fails its transaction, and no other', async () => {
  const failing = direct.tx((tx) =>
    Promise.all([
      tx`insert into written ${tx({ serial: -4 })}`,
      tx`select ${[new Date(Number.NaN)]}::timestamptz[]`,
    ]),
  )
  await expect(failing).rejects.toThrow('Invalid time value')
  expect(await direct.tx((tx) => tx`select serial from written where serial = -4`)).toEqual([])
})

const reciprocal = (sql: Queryable, of: number) => sql`select 1 / ${of}::int as value`

test('a statement that failed the first time runs again on the same connection', async () => {
  await direct.tx(async (tx) => {
    await tx`savepoint before`
    await expect(reciprocal(tx, 0)).rejects.toThrow('division by zero')
    await tx`rollback to before`
    expect(await reciprocal(tx, 1)).toEqual([{ value: 1 }])
    expect(await reciprocal(tx, 1)).toEqual([{ value: 1 }])
  })
})

test('a transaction takes one round trip for its first statements, and one to commit', async () => {
  const db = openThroughProxy()
  await db.sql`select`
  const before = proxy.sent().length
  await db.tx((tx) => Promise.all([tx`select 1`, tx`select 2`]))
  expect(proxy.sent().slice(before)).toEqual([['begin ', 'select 1', 'select 2'], ['commit']])
})

const insert = (sql: Queryable, number: number) => sql`insert into written ${sql({ serial: number })}`

/** A promise that the test settles. */
function later() {
  let settle!: { meet(): void; fail(error: Error): void }
  const condition = new Promise<void>((meet, fail) => (settle = { meet, fail }))
  return { condition, ...settle }
}

describe('a step', () => {
  test('takes one round trip for all its statements, and one more if they are sent later', async () => {
    const db = openThroughProxy()
    await db.sql`select`
    const before = proxy.sent().length
    await db.step((tx) => {
      tx.commitNow()
      return Promise.all([insert(tx, -10), tx`select 1`])
    })
    await db.step(async (tx) => {
      await insert(tx, -11)
      tx.commitNow()
      await tx`select 1`
    })
    const [text] = proxy.sent()[before]!
    expect(proxy.sent().slice(before)).toEqual([
      [text, 'select 1'],
      ['begin ', text],
      ['select 1', 'commit'],
    ])
    expect(await direct.sql`select from written where serial in (-10, -11)`).toHaveLength(2)
  })

  test('commits once a condition is met, and sends its statements before that', async () => {
    const db = openThroughProxy()
    await db.sql`select`
    const before = proxy.sent().length
    const { condition, meet } = later()
    const step = db.step(async (tx) => {
      tx.commitNow(condition)
      await insert(tx, -17)
    })
    await expect.poll(() => proxy.sent().length).toBe(before + 1)
    expect(await direct.sql`select from written where serial = -17`).toHaveLength(0)
    meet()
    await step
    expect(await direct.sql`select from written where serial = -17`).toHaveLength(1)
    const writes = proxy.sent().slice(before)
    expect(writes).toEqual([[expect.stringContaining('insert')], []])
  })

  test('has the results of its statements before its condition is met', async () => {
    const { condition, meet } = later()
    const inserted = later()
    const step = direct.step(async (tx) => {
      tx.commitNow(condition)
      await insert(tx, -23)
      inserted.meet()
    })
    await inserted.condition
    expect(await direct.sql`select from written where serial = -23`).toHaveLength(0)
    meet()
    await step
    expect(await direct.sql`select from written where serial = -23`).toHaveLength(1)
  })

  test('writes nothing if it fails after the results of its statements', async () => {
    const { condition, meet } = later()
    const failing = direct.step(async (tx) => {
      tx.commitNow(condition)
      await insert(tx, -24)
      throw new Error('not this one')
    })
    await expect(failing).rejects.toThrow('not this one')
    meet()
    await condition
    expect(await direct.sql`select from written where serial = -24`).toHaveLength(0)
  })

  test('takes one round trip if its condition is met already', async () => {
    const db = openThroughProxy()
    await db.sql`select`
    const before = proxy.sent().length
    await db.step(async (tx) => {
      tx.commitNow(Promise.resolve())
      await insert(tx, -18)
    })
    expect(proxy.sent().slice(before)).toEqual([[expect.stringContaining('insert')]])
    expect(await direct.sql`select from written where serial = -18`).toHaveLength(1)
  })

  test('writes nothing if its condition fails, before or after its statements', async () => {
    const early = direct.step(async (tx) => {
      tx.commitNow(Promise.reject(new Error('early')))
      await insert(tx, -19)
    })
    await expect(early).rejects.toThrow('early')
    const db = openThroughProxy()
    await db.sql`select`
    const before = proxy.sent().length
    const { condition, fail } = later()
    const late = db.step(async (tx) => {
      tx.commitNow(condition)
      await insert(tx, -19)
    })
    await expect.poll(() => proxy.sent().length).toBe(before + 1)
    fail(new Error('late'))
    await expect(late).rejects.toThrow('late')
    expect(await direct.sql`select from written where serial = -19`).toHaveLength(0)
    // The connection is outside of any transaction again.
    await insert(db.sql, -22)
    expect(await direct.sql`select from written where serial = -22`).toHaveLength(1)
  })

  test('never commits what has failed, although its condition is met later', async () => {
    const one = openThroughProxy({ poolSize: 1 })
    const { condition, meet } = later()
    const failing = one.step(async (tx) => {
      tx.commitNow(condition)
      await Promise.all([insert(tx, -20), tx`select 1 / 0`])
    })
    await expect(failing).rejects.toThrow('division by zero')
    // The next transaction has the same connection.
    await expect(
      one.tx(async (tx) => {
        await insert(tx, -21)
        meet()
        await condition
        await tx`select 1 / 0`
      }),
    ).rejects.toThrow('division by zero')
    expect(await direct.sql`select from written where serial in (-20, -21)`).toHaveLength(0)
  })

  test('writes nothing if one of its statements fails, even if the error was caught', async () => {
    const failing = (isCaught: boolean) =>
      direct.step((tx) => {
        tx.commitNow()
        const division = tx`select 1 / 0`
        return Promise.all([insert(tx, -12), isCaught ? division.catch(() => {}) : division])
      })
    await expect(failing(false)).rejects.toThrow('division by zero')
    await expect(failing(true)).rejects.toThrow('division by zero')
    const { condition, meet } = later()
    const conditional = direct.step((tx) => {
      tx.commitNow(condition)
      return Promise.all([insert(tx, -12), tx`select 1 / 0`.catch(meet)])
    })
    await expect(conditional).rejects.toThrow('division by zero')
    expect(await direct.sql`select from written where serial = -12`).toHaveLength(0)
  })

  test('writes nothing if a value cannot be written', async () => {
    const failing = direct.step((tx) => {
      tx.commitNow()
      return Promise.all([insert(tx, -16), tx`select ${[new Date(Number.NaN)]}::timestamptz[]`])
    })
    await expect(failing).rejects.toThrow('Invalid time value')
    expect(await direct.sql`select from written where serial = -16`).toHaveLength(0)
  })

  test('fails if its commit fails', async () => {
    await direct.sql`create table late_checks (serial int primary key deferrable initially deferred)`
    const failing = direct.step((tx) => {
      tx.commitNow()
      return tx`insert into late_checks values (1), (1)`
    })
    await expect(failing).rejects.toMatchObject({ code: '23505' })
    const { condition, meet } = later()
    const conditional = direct.step(async (tx) => {
      tx.commitNow(condition)
      await tx`insert into late_checks values (1), (1)`
      meet()
    })
    await expect(conditional).rejects.toMatchObject({ code: '23505' })
    expect(await direct.sql`select from late_checks`).toHaveLength(0)
  })

  test('is repeated as an ordinary transaction if its statements refuse to commit early', async () => {
    const tries: boolean[] = []
    await direct.step(async (tx) => {
      tries.push(tx.mayCommitEarly)
      if (tx.mayCommitEarly) tx.commitNow()
      await Promise.all([insert(tx, -13), tx.mayCommitEarly && tx`select refuse_early_commit()`])
      if (!tx.mayCommitEarly) await insert(tx, -14)
    })
    expect(tries).toEqual([true, false])
    expect(await direct.sql`select from written where serial in (-13, -14)`).toHaveLength(2)
  })

  test('has no statements after its last', async () => {
    const late = direct.step(async (tx) => {
      tx.commitNow()
      await tx`select 1`
      await insert(tx, -15)
    })
    await expect(late).rejects.toThrow('the transaction is over')
    expect(await direct.sql`select from written where serial = -15`).toHaveLength(0)
    await expect(direct.tx(async (tx) => tx.commitNow())).rejects.toThrow('more statements')
  })
})

const read = (sql: Queryable) => sql`select * from changing`

test('a statement that was prepared before its table changed runs again', async () => {
  await direct.sql`create table changing as select 1 as one`
  expect(await read(direct.sql)).toEqual([{ one: 1 }])
  await direct.sql`alter table changing add two int default 2`
  const row = { one: 1, two: 2 }
  expect(await Promise.all([read(direct.sql), read(direct.sql)])).toEqual([[row], [row]])
  await direct.sql`alter table changing add three int default 3`
  // Nothing can be repeated within a transaction, but the next one has another connection.
  await expect(direct.tx(read)).rejects.toMatchObject({ code: '0A000' })
  expect(await direct.tx(read)).toEqual([{ ...row, three: 3 }])
})

test('types without an equivalent in JavaScript are read as text, and dates as UTC', async () => {
  const [found] = await direct.sql`
    select 9007199254740993::bigint as bigint, 0.10::numeric as numeric, '1 day 02:00'::interval as interval,
      '2026-11-15'::date as date, 0.5::float4 as float, null::int as missing, '{"a": [1]}'::jsonb as json`
  expect(found).toEqual({
    bigint: '9007199254740993',
    numeric: '0.10',
    interval: '1 day 02:00:00',
    date: new Date('2026-11-15T00:00:00Z'),
    float: 0.5,
    missing: null,
    json: { a: [1] },
  })
})

test('values are written as their type: times, bytes, booleans, JSON and columns', async () => {
  const { sql } = direct
  const at = new Date('2026-11-15T05:00:00.123Z')
  await sql`create table kept (at timestamptz, bytes bytea, flag boolean, json jsonb, "odd ""name" text)`
  const row = { at, bytes: Buffer.from([0, 255]), flag: true, json: sql.json(['a', null]), 'odd "name': null }
  const inserted = await sql`insert into kept ${sql([row, { ...row, flag: false }])}`
  expect(inserted.count).toBe(2)
  const [updated] = await sql`
    update kept set at = ${at} - interval '1 day', ${sql({ json: sql.json('text'), 'odd "name': sql`upper(${'a'})` })}
    where flag = ${true} and ${sql('kept.at')} - ${at} = interval '0' returning *`
  expect(updated).toEqual({
    at: new Date('2026-11-14T05:00:00.123Z'),
    bytes: row.bytes,
    flag: true,
    json: 'text',
    'odd "name': 'A',
  })
})

const arrays: [type: string, value: unknown[]][] = [
  ['text', ['a', '', 'NULL', 'with "quotes", commas and \\ {braces}\n', 'æøå', null]],
  ['uuid', ['01890a5d-ac96-774b-bcce-b302099a8057']],
  ['int', [1, -2, null]],
  ['double precision', [0.5]],
  ['bigint', ['9007199254740993']],
  ['jsonb', [{ a: ['b', '"'] }, { c: null }]],
  ['text', []],
]

test.each(arrays)('an array of %s is read as it was written', async (type, value) => {
  const [row] = await direct.sql<{ value: unknown[] }[]>`
    select ${value as string[]}::${direct.sql.unsafe(type)}[] as value`
  expect(row!.value).toEqual(value)
})

test('arrays of booleans, times and bytes are read', async () => {
  const [row] = await direct.sql`
    select array[true, false, null] as flags, array['2026-11-15 05:00:00.123+00'::timestamptz] as times,
      array['\\x00ff'::bytea] as bytes`
  expect(row).toEqual({
    flags: [true, false, null],
    times: [new Date('2026-11-15T05:00:00.123Z')],
    bytes: [Buffer.from([0, 255])],
  })
})

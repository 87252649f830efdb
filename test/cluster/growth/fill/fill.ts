import { availableParallelism } from 'node:os'

import type { DatabaseAddress } from '../../../../server/platform/db/address.ts'
import { connect, type DedicatedSql } from '../../../../server/platform/db/database.ts'
import { BIG_TABLES } from '../../../upgrade/big-tables.ts'
import { fillConversations } from './conversations.ts'
import { fillEvents } from './events.ts'
import { type Filling, PERSONS_PER_SLICE, type Size, SLOTS } from './series.ts'

/**
 * Fills an empty database as two years of calls and texts and a month of events would, but with a statement for many
 * rows. Sizes of companies follow Zipf's law: of 1,000, the largest has a tenth of everything.
 */
export async function fill(
  address: DatabaseAddress,
  size: Size,
  tell: (line: string) => void,
): Promise<void> {
  const connections = await Promise.all(Array.from({ length: availableParallelism() }, () => open(address)))
  try {
    await fillTables({
      sql: connections[0]!,
      size,
      tell,
      async runAll(statements) {
        const left = [...statements]
        await Promise.all(
          connections.map(async (sql) => {
            for (let next = left.shift(); next; next = left.shift()) {
              await sql.unsafe(next.text)
              tell(next.done)
            }
          }),
        )
      },
    })
  } finally {
    await Promise.all(connections.map((sql) => sql.end()))
  }
}

async function open(address: DatabaseAddress): Promise<DedicatedSql> {
  const sql = connect(address, { max: 1, statement_timeout: 0 })
  await sql`set maintenance_work_mem = '512MB'`
  await sql`set work_mem = '256MB'`
  // The service's own connections avoid them; here whole tables are read.
  await sql`set enable_seqscan = on`
  // Rows are complete: neither triggers nor foreign keys have anything to do.
  await sql`set session_replication_role = replica`
  return sql
}

async function fillTables(filling: Filling): Promise<void> {
  const { sql, size, tell, runAll } = filling
  await sql`create schema growth`
  await createIdsOfTimes(sql)
  await fillCompanies(sql, size)
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition from pg_indexes
    where schemaname = 'public' and tablename = any(${BIG_TABLES})
      and indexname not in (select conname from pg_constraint)`
  for (const { name } of indexes) await sql`drop index ${sql(name)}`
  await fillConversations(filling)
  await fillEvents(filling)
  await runAll(indexes.map(({ name, definition }) => ({ text: definition, done: `index ${name}` })))
  await sql`vacuum analyze`
  tell('vacuumed')
}

/** As `new_id()`, of another time than now. */
async function createIdsOfTimes(sql: DedicatedSql) {
  await sql`
    create function growth.id_at(at timestamptz) returns uuid language sql volatile parallel safe as $$
      select (
        overlay(
          lpad(to_hex((extract(epoch from at) * 1000000)::bigint * 512 / 125), 15, '0')
          placing '7' from 13 for 0
        ) || substr(replace(gen_random_uuid()::text, '-', ''), 17)
      )::uuid
    $$`
}

async function fillCompanies(sql: DedicatedSql, { companies, calls, messages }: Size) {
  await sql`
    create table growth.companies as
    select place, growth.id_at(now() - interval '3 years' + make_interval(mins => place)) as id, share,
      greatest(20, (share * ${(calls + messages) / 15}::float8)::int) as persons,
      3 + least(200, (share * 2000)::int) as employee_count, 1 + least(20, (share * 200)::int) as number_count,
      1 + (share * ${(calls * 0.4) / 4_096}::float8)::int as slice_count
    from (
      select place, power(place, -0.9) / sum(power(place, -0.9)) over () as share
      from generate_series(1, ${companies}::int) as place
    ) as shares`
  await sql`
    insert into companies (id, name, country, messaging_enabled, created_at)
    select id, 'Company ' || place, 'DK', true, now() - interval '3 years' from growth.companies`
  await sql`
    insert into employees (id, company_id, name, email, invitation_pending)
    select new_id(), id, 'Employee ' || n, n || '@' || place || '.example', false
    from growth.companies, generate_series(1, employee_count) as n`
  await sql`
    insert into business_numbers (company_id, id, name, number, timezone, language, sms_capable, incoming_call_config, business_hours)
    select id, new_id(), 'Line ' || n, '+45' || 70000000 + place * 100 + n, 'Europe/Copenhagen', 'en', true,
      '{"type": "transfer", "employee_ids": []}', '[]'
    from growth.companies, generate_series(1, number_count) as n`
  await sql`
    insert into webhook_subscriptions (company_id, id, name, url, events, secret_sealed)
    select id, new_id(), 'Orders', 'https://example.com/hook', '{call.ended,message.received}', '\\x00'
    from growth.companies`
  await sql`
    insert into call_slices (company_id)
    select id from growth.companies, generate_series(1, slice_count) order by id`
  await sql`
    insert into contact_slices (company_id)
    select id from growth.companies, generate_series(0, persons / ${PERSONS_PER_SLICE}::int) order by id`
  await sql`
    alter table growth.companies add column numbers uuid[], add column employees uuid[], add column subscription uuid,
      add column slice int, add column contact_slice int`
  await sql`
    update growth.companies c set
      numbers = array(select id from business_numbers where company_id = c.id order by id),
      employees = array(select id from employees where company_id = c.id order by id),
      subscription = (select id from webhook_subscriptions where company_id = c.id),
      slice = (select min(id) from call_slices where company_id = c.id),
      contact_slice = (select min(id) from contact_slices where company_id = c.id)`
  // A random number below 10,000 leads to a company, as often as its share demands.
  await sql`
    create table growth.slots as
    select slot, (
      select place from (select place, sum(share) over (order by place) as upto from growth.companies) as sums
      where upto > slot / ${SLOTS}::float8 * 0.999999 order by place limit 1
    ) as place
    from generate_series(0, ${SLOTS - 1}::int) as slot`
  await sql`analyze growth.slots, growth.companies`
}

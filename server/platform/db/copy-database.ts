import { OperatorError } from '../errors.ts'
import type { DatabaseAddress } from './address.ts'
import { connect, type Tx } from './database.ts'
import { migrateLike } from './migrate.ts'

/** Ours, and that of the job queue. */
const SCHEMAS = ['public', 'graphile_worker']
/** The version of the job tables, which the copy has already. */
const NOT_COPIED = 'graphile_worker.migrations'
const SNAPSHOT = 'isolation level repeatable read, read only'
/** Rows that are copied at once. */
const BATCH = 200
const UNLIMITED = { statement_timeout: 0, idle_in_transaction_session_timeout: 0 }

interface Table {
  name: string
  columns: string
  /** The values of a row as texts, and back. */
  texts: string
  values: string
}

/**
 * Copies our database from another PostgreSQL, of any version, into an empty one: first the schema at the migration
 * of the source, then all rows. The source is only read, in one snapshot.
 */
export async function copyDatabase(from: DatabaseAddress, to: DatabaseAddress): Promise<{ tables: number }> {
  const source = connect(from, { max: 1, ...UNLIMITED })
  const target = connect(to, { max: 1, ...UNLIMITED })
  try {
    const [found] = await target`select from pg_tables where schemaname = any(${SCHEMAS}) limit 1`
    if (found) throw new OperatorError('The data folder already has a database: move it away first.')
    return await source.begin(async (theirs) => {
      const applied = await theirs<{ name: string }[]>`select name from schema_migrations`
      await migrateLike(to, new Set(applied.map(({ name }) => name)))
      const tables = await selectTables(theirs)
      await target.begin(async (ours) => {
        // Rows come in no particular order, and already include what triggers wrote.
        await ours`set local session_replication_role to replica`
        for (const table of tables) await copyTable(theirs, ours, table)
        await copySequences(theirs, ours)
      })
      return { tables: tables.length }
    }, SNAPSHOT)
  } finally {
    await source.end()
    await target.end()
  }
}

function selectTables(tx: Tx) {
  return tx<Table[]>`
    select format('%I.%I', nspname, relname) as name,
      string_agg(quote_ident(attname), ', ' order by attnum) as columns,
      string_agg(format('%I::text', attname), ', ' order by attnum) as texts,
      string_agg(format('it[%s]::%s', place, format_type(atttypid, atttypmod)), ', ' order by attnum) as values
    from pg_class
      join pg_namespace on pg_namespace.oid = relnamespace
      join lateral (
        select *, row_number() over (order by attnum) as place from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
      ) as attributes on true
    where nspname = any(${SCHEMAS}) and relkind = 'r' and pg_class.oid <> ${NOT_COPIED}::regclass
    group by nspname, relname order by nspname, relname`
}

/** As texts, because they are the same in every version of PostgreSQL. */
async function copyTable(theirs: Tx, ours: Tx, { name, columns, texts, values }: Table): Promise<void> {
  // Migrations insert rows into a few tables.
  await ours.unsafe(`delete from ${name}`)
  await theirs.unsafe(`declare rows no scroll cursor for select array[${texts}]::text as texts from ${name}`)
  const next = () => theirs<{ texts: string }[]>`fetch ${theirs.unsafe(String(BATCH))} from rows`
  for (let rows = await next(); rows.length > 0; rows = await next())
    await ours`
      insert into ${ours.unsafe(name)} (${ours.unsafe(columns)}) overriding system value
      select ${ours.unsafe(values)}
      from (select texts::text[] as it from unnest(${rows.map((row) => row.texts)}::text[]) as texts) as rows`
  await theirs`close rows`
}

async function copySequences(theirs: Tx, ours: Tx): Promise<void> {
  const sequences = await theirs<{ name: string; last: string }[]>`
    select format('%I.%I', schemaname, sequencename) as name, last_value::text as last from pg_sequences
    where schemaname = any(${SCHEMAS}) and last_value is not null`
  for (const { name, last } of sequences) await ours`select setval(${name}::regclass, ${last}::bigint)`
}

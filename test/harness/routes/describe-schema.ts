import type { Queryable } from '../../../server/platform/db/database.ts'

/**
 * The schema `public` as SQL that would create it: extensions, sequences, functions, tables, foreign keys, indexes and
 * triggers, each sorted by name. PostgreSQL generates the definitions, so the same schema is always the same text.
 */
export async function describeSchema(sql: Queryable): Promise<string> {
  const extensions = await lines(sql`
    select format('create extension %I', extname) as line from pg_extension
    where extnamespace = 'public'::regnamespace order by extname`)
  const sequences = await lines(sql`
    select format('create sequence %s as %s', seqrelid::regclass, seqtypid::regtype) as line from pg_sequence
    where seqrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
    order by seqrelid::regclass::text collate "C"`)
  const functions = await lines(sql`
    select pg_get_functiondef(oid) as line from pg_proc
    where pronamespace = 'public'::regnamespace and not exists (
      select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e'
    ) order by proname, oid`)
  const tables = await lines(sql`
    select format(E'create table %I (\n  %s\n)', relname, string_agg(part, E',\n  ' order by place, name collate "C")) as line
    from (
      select attrelid as table_id, 0 as place, to_char(attnum, '00000') as name,
        format('%I %s', attname, format_type(atttypid, atttypmod))
          || case when attnotnull then ' not null' else '' end
          || coalesce(' default ' || pg_get_expr(adbin, adrelid), '') as part
      from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where attnum > 0 and not attisdropped
      union all
      select conrelid, strpos('puc', contype), conname,
        format('constraint %I %s', conname, pg_get_constraintdef(oid))
      from pg_constraint where contype in ('p', 'u', 'c')
    ) as parts join pg_class on pg_class.oid = table_id
    where relnamespace = 'public'::regnamespace and relkind = 'r'
    group by relname order by relname`)
  const foreignKeys = await lines(sql`
    select format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as line
    from pg_constraint where connamespace = 'public'::regnamespace and contype = 'f'
    order by conrelid::regclass::text collate "C", conname`)
  const indexes = await lines(sql`
    select pg_get_indexdef(indexrelid) as line from pg_index join pg_class on oid = indexrelid
    where relnamespace = 'public'::regnamespace
      and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
    order by relname`)
  const triggers = await lines(sql`
    select pg_get_triggerdef(pg_trigger.oid) as line from pg_trigger join pg_class on pg_class.oid = tgrelid
    where relnamespace = 'public'::regnamespace and not tgisinternal order by relname, tgname`)
  const statements = [
    ...extensions,
    ...sequences,
    ...functions,
    ...tables,
    ...foreignKeys,
    ...indexes,
    ...triggers,
  ]
  return statements.map((statement) => `${statement.trimEnd()};\n`).join('\n')
}

/** Objects of the schema that the description would omit. */
export function selectUndescribed(sql: Queryable) {
  return lines(sql`
    select relname::text as line from pg_class
    where relnamespace = 'public'::regnamespace and relkind not in ('r', 'i', 'S')
    union all
    -- A sequence is shown with its type alone, so all else must be as it is by default.
    select seqrelid::regclass::text from pg_sequence join pg_class on oid = seqrelid
    where relnamespace = 'public'::regnamespace and (
      seqstart <> 1 or seqincrement <> 1 or seqmin <> 1 or seqcache <> 1 or seqcycle
      or seqmax <> case seqtypid when 'smallint'::regtype then 32767 when 'integer'::regtype then 2147483647
        else 9223372036854775807 end
    )
    union all
    select typname from pg_type
    where typnamespace = 'public'::regnamespace and typrelid = 0 and typcategory <> 'A' and not exists (
      select from pg_depend where classid = 'pg_type'::regclass and objid = pg_type.oid and deptype = 'e'
    )
    union all
    select conname from pg_constraint
    where connamespace = 'public'::regnamespace and contype not in ('p', 'u', 'c', 'f', 'n')
    union all
    select attname from pg_attribute join pg_class on oid = attrelid
    where relnamespace = 'public'::regnamespace and (attidentity <> '' or attgenerated <> '')`)
}

async function lines(query: PromiseLike<unknown>): Promise<string[]> {
  return ((await query) as { line: string }[]).map(({ line }) => line)
}

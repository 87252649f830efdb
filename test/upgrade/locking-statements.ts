import { BIG_TABLES } from './big-tables.ts'

interface Form {
  pattern: RegExp
  /** What to write instead. */
  instead: string
}

/** Of a statement that changes a big table: forms that read or write all of it while nobody else can use it. */
const FORMS: Form[] = [
  {
    pattern: /^create (unique )?index (?!concurrently)/,
    instead: 'create index concurrently, as a step of its own',
  },
  { pattern: /^reindex (?!.*concurrently)/, instead: 'reindex concurrently, as a step of its own' },
  { pattern: /^(cluster|vacuum full|lock table|truncate)\b/, instead: 'nothing that locks the table' },
  { pattern: /^(update|delete from) /, instead: 'a loop that commits every few hundred rows' },
  { pattern: /^alter table .* (alter( column)? \w+( set data)? type)\b/, instead: 'a new column' },
  { pattern: /^alter table .* set (logged|unlogged|tablespace|access method)\b/, instead: 'a new table' },
  {
    pattern: /^alter table .* set not null\b/,
    instead: 'a check (… is not null) not valid, validated in a later step',
  },
  {
    pattern: /^alter table .* add (constraint \w+ )?(foreign key|check)\b(?!.* not valid)/,
    instead: 'not valid, and validate constraint in a later step',
  },
  {
    pattern: /^alter table .* add (constraint \w+ )?(unique|primary key|exclude)\b(?! using index)/,
    instead: 'a unique index that is created concurrently',
  },
  {
    pattern: /^alter table .* add column .* (check|references|unique|primary key|generated|serial)\b/,
    instead: 'a plain column, and its constraints not valid',
  },
  {
    pattern: /^alter table .* add column .* default (?!now\(\))\w+\(/,
    instead: 'a default that is a constant, for which the table is not rewritten',
  },
]

/** A sentence for each statement of a migration that locks a big table for as long as it takes to read it. */
export function lockingStatements(migration: string): string[] {
  const created = new Set(
    [...migration.matchAll(/create table (?:if not exists )?(\w+)/gi)].map(([, name]) => name!),
  )
  return statementsOf(migration).flatMap((statement) => {
    const table = tableOf(statement)
    if (!table || !BIG_TABLES.includes(table) || created.has(table)) return []
    const form = FORMS.find(({ pattern }) => pattern.test(statement))
    return form ? [`${statement.slice(0, 80)}: ${form.instead}`] : []
  })
}

/** Without comments and bodies of functions, in lower case, on one line. */
function statementsOf(migration: string): string[] {
  return migration
    .replace(/--.*$/gm, '')
    .replace(/\$(\w*)\$[^]*?\$\1\$/g, "''")
    .toLowerCase()
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
}

function tableOf(statement: string): string | undefined {
  const [, table] =
    /^(?:alter table|update|delete from|truncate|lock table|cluster|vacuum full|reindex table) (?:if exists |only )*(?:public\.)?(\w+)/.exec(
      statement,
    ) ??
    /^create (?:unique )?index .*?\bon (?:only )?(?:public\.)?(\w+)/.exec(statement) ??
    []
  return table
}

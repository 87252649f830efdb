import { type Owned, TABLES } from './tables.ts'

/** The generated parts of docs/data.md, by the names of their markers. */
export function dataPageParts(schema: string): Record<string, string> {
  return { owners: ownersOf(), exceptions: exceptionsOf(), references: drawingOf(schema) }
}

/** Puts each part between its markers. Throws if a marker is missing. */
export function fillPage(page: string, parts: Record<string, string>): string {
  return Object.entries(parts).reduce((text, [name, part]) => {
    const marks = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- /${name} -->)`)
    if (!marks.test(text)) throw new Error(`the page has no marks for ${name}`)
    return text.replace(marks, (_, begin: string, end: string) => `${begin}\n${part}\n\n${end}`)
  }, page)
}

function ownersOf(): string {
  const rows = [...byOwner()].map(([owner, tables]) => `| ${owner} | ${tables.map(code).join(', ')} |`)
  return ['| Module | Tables |', '|---|---|', ...rows].join('\n')
}

function exceptionsOf(): string {
  const because = new Map<string, string[]>()
  const note = (why: string, module: string, table: string) =>
    because.set(`${module}\n${why}`, [...(because.get(`${module}\n${why}`) ?? []), table])
  for (const [table, { reads = {}, writes = {} }] of Object.entries<Owned>(TABLES)) {
    for (const [module, why] of Object.entries(reads)) note(why, `${module} reads`, code(table))
    for (const [module, { column, why }] of Object.entries(writes))
      note(why, `${module} writes`, code(`${table}.${column}`))
  }
  const rows = [...because]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, tables]) => {
      const [module, why] = key.split('\n')
      return `| ${module} | ${tables.join(', ')} | ${why} |`
    })
  return ['| Module | Table | Because |', '|---|---|---|', ...rows].join('\n')
}

/** Tables by module, and their references; those to companies are omitted, because nearly every table has one. */
function drawingOf(schema: string): string {
  const modules = [...byOwner()].map(
    ([owner, tables]) =>
      `  subgraph module_${owner.replaceAll('-', '_')}["${owner}"]\n    ${tables.join('\n    ')}\n  end`,
  )
  const references = [...schema.matchAll(/^alter table (\w+) add constraint .*? REFERENCES (\w+)\(/gm)]
    .filter(([, , to]) => to !== 'companies')
    .map(([, from, to]) => `  ${from} --> ${to}`)
  return ['```mermaid', 'flowchart LR', ...modules, ...new Set(references), '```'].join('\n')
}

function byOwner(): Map<string, string[]> {
  const owners = Object.entries(TABLES).toSorted(([, a], [, b]) =>
    a.owner < b.owner ? -1 : a.owner > b.owner ? 1 : 0,
  )
  const tables = new Map<string, string[]>()
  for (const [table, { owner }] of owners) tables.set(owner, [...(tables.get(owner) ?? []), table])
  return tables
}

const code = (name: string) => `\`${name}\``

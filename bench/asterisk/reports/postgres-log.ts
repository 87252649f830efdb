/** Reads the log of PostgreSQL. */

export interface LogEntry {
  kind: string
  text: string
}

const ENTRY = /^\d{4}-\d\d-\d\d [\d:.]+ \S+ \[\d+\].*?(LOG|DETAIL|ERROR|STATEMENT):\s+(.*)/
const SHOWN_MAX = 150

export function parseLog(log: string): LogEntry[] {
  const entries: LogEntry[] = []
  for (const line of log.split('\n')) {
    const [, kind, text] = ENTRY.exec(line) ?? []
    if (kind) entries.push({ kind, text: text! })
    else if (entries.length > 0) entries.at(-1)!.text += ` ${line.trim()}`
  }
  return entries
}

/** How often each statement was executed, whatever its values. */
export function countStatements(entries: LogEntry[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { kind, text } of entries) {
    const [, statement] = /^(?:statement|execute [^:]*): (.*)/.exec(text) ?? []
    if (kind !== 'LOG' || !statement || /^(alter system|select pg_reload_conf)/.test(statement)) continue
    const shown = withoutValues(statement)
    counts.set(shown, (counts.get(shown) ?? 0) + 1)
  }
  return counts
}

/** The time that PostgreSQL spent on each statement, longest first. */
export function sumDurations(entries: LogEntry[]) {
  const sums = new Map<string, { statement: string; count: number; totalMs: number }>()
  for (const { text } of entries) {
    const [, ms, step, statement] = /^duration: ([\d.]+) ms\s+(\w+)[^:]*: (.*)/.exec(text) ?? []
    if (!statement) continue
    const shown = `${step}: ${withoutValues(statement)}`
    const sum = sums.get(shown) ?? { statement: shown, count: 0, totalMs: 0 }
    sums.set(shown, { ...sum, count: sum.count + 1, totalMs: sum.totalMs + Number(ms) })
  }
  return [...sums.values()].toSorted((a, b) => b.totalMs - a.totalMs)
}

const withoutValues = (statement: string) =>
  statement
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/'[^']*'|\$\d+|\b\d+\b/g, '?')
    .slice(0, SHOWN_MAX)

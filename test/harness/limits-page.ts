import { readdir, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'

import { packageRoot } from '../../server/platform/package-root.ts'

type Value = number | Record<string, number>

export interface Limit {
  name: string
  value: Value
  /** The comment above it, which says what it bounds and why. */
  comment: string | undefined
}

export interface LimitsGroup {
  /** The path of its file, relative to the root of the project. */
  path: string
  name: string
  comment: string | undefined
  limits: Limit[]
}

const INTRODUCTION = `# Limits

Every limit of the program, by component. Limits are constants; the settings of an installation are environment variables. \`npm run limits-page\` generates this page from the files named \`limits.ts\`.
`

/** Each object that a limits.ts exports: the values from the module itself, the comments from its text. */
export async function readLimits(): Promise<LimitsGroup[]> {
  const groups: LimitsGroup[] = []
  for (const folder of ['bin', 'server']) {
    const names = await readdir(join(packageRoot, folder), { recursive: true })
    for (const name of names.filter((name) => /(^|\/)limits\.ts$/.test(name)).toSorted()) {
      const path = posix.join(folder, name)
      const text = await readFile(join(packageRoot, path), 'utf8')
      const module = (await import(join(packageRoot, path))) as Record<string, Record<string, Value>>
      for (const [name, values] of Object.entries(module)) groups.push(groupOf(path, text, name, values))
    }
  }
  return groups
}

function groupOf(path: string, text: string, name: string, values: Record<string, Value>): LimitsGroup {
  const at = text.indexOf(`export const ${name} = {`)
  const body = text.slice(at, text.indexOf('\n}', at))
  const limits = Object.entries(values).map(([key, value]) => {
    const comment = commentBefore(body, body.search(new RegExp(`^  ${key}:`, 'm')))
    return { name: key, value, comment }
  })
  return { path, name, comment: commentBefore(text, at), limits }
}

function commentBefore(text: string, at: number): string | undefined {
  const [, comment] = /\/\*\*((?:(?!\*\/).)*)\*\/\s*$/s.exec(text.slice(0, Math.max(at, 0))) ?? []
  return comment?.replace(/\s+(\*\s+)?/g, ' ').trim()
}

export function limitsPage(groups: LimitsGroup[]): string {
  const sections = groups.map(
    ({ path, name, comment, limits }) => `
## ${posix.dirname(path)}${name === 'LIMITS' ? '' : `: ${name}`}

${comment}

| Limit | Value | What it bounds |
|---|---|---|
${limits.map(({ name, value, comment }) => `| \`${name}\` | ${shown(name, value)} | ${comment} |`).join('\n')}
`,
  )
  return INTRODUCTION + sections.join('')
}

const DURATIONS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** Readable, by the unit at the end of the name. */
function shown(name: string, value: Value): string {
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([part, each]) => `${part}: ${shown(part, each)}`)
      .join(', ')
  if (/Ms(Max|Min)?$|MaxMs$|MinMs$/.test(name)) return duration(value)
  if (/Seconds(Max|Min)?$/.test(name)) return duration(value * 1_000)
  if (/(^b|B)ytes(Max|Min)?$/.test(name)) return size(value)
  return value.toLocaleString('en')
}

function duration(ms: number): string {
  const [unit, length] = DURATIONS.find(([, length]) => ms >= length && ms % length === 0) ?? ['ms', 1]
  const count = ms / length
  return unit === 'ms' ? `${count} ms` : `${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'}`
}

function size(bytes: number): string {
  if (bytes >= 1_048_576 && bytes % 1_048_576 === 0) return `${bytes / 1_048_576} MiB`
  if (bytes >= 1_024 && bytes % 1_024 === 0) return `${bytes / 1_024} KiB`
  return `${bytes.toLocaleString('en')} bytes`
}

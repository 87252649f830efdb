import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'

import { packageRoot } from '../../server/platform/package-root.ts'

// It has no types of its own.
const { load } = createRequire(import.meta.url)('js-yaml') as { load(text: string): unknown }

export interface Service {
  image: string
  build?: { context: string; args: Record<string, string> }
  profiles: string[]
  command?: string[]
  network_mode?: string
  environment: Record<string, string>
  env_file?: string
  ports?: string[]
  volumes: string[]
  read_only?: boolean
  tmpfs?: string[]
  cap_drop?: string[]
  security_opt?: string[]
  init?: boolean
  user?: string
  restart: string
  stop_grace_period?: string
  healthcheck?: { test: string[] }
  depends_on?: Record<string, { condition: string; required?: boolean }>
}

export interface ComposeFile {
  services: Record<string, Service>
  volumes: Record<string, null>
}

export const readDeployed = (name: string) => readFile(join(packageRoot, 'deploy', name), 'utf8')

/** compose.yaml as Compose reads it with these variables. */
export async function readCompose(variables: Record<string, string>): Promise<ComposeFile> {
  const file = load(await readDeployed('compose/compose.yaml'))
  return mapTexts(file, (text) => interpolate(text, variables)) as ComposeFile
}

/** The variables that compose.yaml names. */
export async function namedVariables(): Promise<string[]> {
  const text = await readDeployed('compose/compose.yaml')
  return [...new Set([...text.matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name]) => name!))]
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)]))
}

/** `${A:-default}` and `${A:?complaint}`, from the innermost on; `$$` is a dollar sign. */
export function interpolate(text: string, variables: Record<string, string>): string {
  const innermost = /(?<!\$)\$\{(\w+):([-?])([^${}]*)\}/
  for (let found = innermost.exec(text); found; found = innermost.exec(text)) {
    const [whole, name, kind, rest] = found as unknown as [string, string, '-' | '?', string]
    // A complaint counts only where its variable is used.
    const missing = kind === '?' ? `\0${name}\0` : rest
    const value = variables[name] || missing
    text = text.slice(0, found.index) + value + text.slice(found.index + whole.length)
  }
  const complaint = /\0(\w+)\0/.exec(text)
  if (complaint) throw new Error(`${complaint[1]} is not set`)
  return text.replaceAll('$$', '$')
}

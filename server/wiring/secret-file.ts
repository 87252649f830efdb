import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

import type { Config } from '../config.ts'
import { OperatorError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'

interface SecretFile {
  path: string
  /** The variable that takes the place of the file. */
  setting: string
  /** As in "The secret in …". */
  what: string
  make(): string
  isWhole(text: string): boolean
}

/** A secret that is created when first needed and kept; trimmed. */
export async function readOrCreateSecret(file: SecretFile): Promise<string> {
  return (await readSecretFile(file)) ?? (await make(file))
}

const warnings = new WeakMap<Config, Set<string>>()

/**
 * Warns if the database may have other machines, which could not decrypt what this one encrypts with its own file. Once
 * for each secret, however many roles of the process ask for it.
 */
export function warnIfUnshared(config: Config, log: Log, { path, setting, what }: SecretFile): void {
  const given = warnings.get(config) ?? new Set()
  if (!config.databaseUrl || given.has(setting)) return
  warnings.set(config, given.add(setting))
  log.warn({ path }, `${setting} is not set; using the ${what} of this machine`)
}

/** Undefined if there is none yet. */
export async function readSecretFile({ path, what, isWhole }: SecretFile): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new OperatorError(`The ${what} in ${path} cannot be read (${error.code}).`, { cause: error })
  })
  const kept = text?.trim()
  if (kept !== undefined && !isWhole(kept))
    throw new OperatorError(`${path} no longer contains the ${what}: restore it from a backup.`)
  return kept
}

/** Written completely and then linked: if two processes start at once, one wins and both use its file. */
async function make(file: SecretFile): Promise<string> {
  const draft = `${file.path}.${process.pid}`
  await mkdir(dirname(file.path), { recursive: true })
  await writeFile(draft, `${file.make()}\n`, { mode: 0o600 })
  try {
    await link(draft, file.path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(draft)
  }
  return (await readSecretFile(file))!
}

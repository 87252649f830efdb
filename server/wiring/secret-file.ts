import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

import { OperatorError } from '../platform/errors.ts'

interface SecretFile {
  path: string
  /** As in "The secret in …". */
  what: string
  make(): string
  isWhole(text: string): boolean
}

/** A secret that is created when first needed and kept; trimmed. */
export async function readOrCreateSecret(file: SecretFile): Promise<string> {
  return (await readSecretFile(file)) ?? (await make(file))
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

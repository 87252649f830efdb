import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import type { Config } from './config.ts'
import { OperatorError } from './platform/errors.ts'
import type { Log } from './platform/log.ts'

const LIMITS = { bytes: 48, charactersMin: 32 }

/** The installation's secret: as configured, else made once and kept in the data folder. */
export async function installationSecret(config: Config, log: Log): Promise<string> {
  if (config.secret) return config.secret
  const path = join(config.dataDir, 'secret')
  // What one process seals with its own secret, the others on this database could not open.
  if (config.databaseUrl) log.warn({ path }, 'BELLHOP_SECRET is not set; the secret of this machine is used')
  return (await readSecret(path)) ?? (await makeSecret(path))
}

async function readSecret(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new OperatorError(`The secret in ${path} cannot be read (${error.code}).`, { cause: error })
  })
  const secret = text?.trim()
  if (secret !== undefined && secret.length < LIMITS.charactersMin)
    throw new OperatorError(`${path} does not hold the secret any more: restore it from a backup.`)
  return secret
}

/** Written whole and then linked into place: of two processes that start at once, one wins and both use its secret. */
async function makeSecret(path: string): Promise<string> {
  const draft = `${path}.${process.pid}`
  await mkdir(dirname(path), { recursive: true })
  await writeFile(draft, `${randomBytes(LIMITS.bytes).toString('base64url')}\n`, { mode: 0o600 })
  try {
    await link(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(draft)
  }
  return (await readSecret(path))!
}

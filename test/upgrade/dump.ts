import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

import type { DatabaseAddress } from '../../server/platform/db/address.ts'
import { connect } from '../../server/platform/db/database.ts'
import { packageRoot } from '../../server/platform/package-root.ts'

/** The secrets of the dumps, which contain only invented data. */
export const KEYS = {
  BELLHOP_SECRET: 'not a secret: it only opens the dumps of test/upgrade',
  MESSAGE_KEYS: `dump:${'not-a-secret-'.repeat(4)}`,
}

/** What the script that filled the database knows of it, as the employees of the company would. */
export interface Remembered {
  /** When the dump was taken. */
  at: string
  api: { key: string; companyId: string; employeeId: string }
  contact: { id: string; name: string }
  texts: { id: string; text: string }[]
  webhook: { id: string; signing_secret: string }
  integration: { id: string; signing_secret: string }
  device: { username: string; password: string }
  oauth: { clientId: string; accessToken: string; refreshToken: string }
  person: { email: string; password: string; totpSecret: string }
}

/** In the format of pg_dump: tables; rows; indexes, foreign keys and triggers. */
export const SECTIONS = ['pre-data', 'data', 'post-data'] as const
export type Section = (typeof SECTIONS)[number]

/** The versions with a dump, by their last migration; the newest is the release before this code. */
export const DUMPS = ['0018-voicemail-length', '0064-company-jobs']

const folderOf = (name: string) => join(import.meta.dirname, name)

/** By its last migration. */
export const thisVersion = async (): Promise<string> => (await migrationFiles()).at(-1)!.replace('.sql', '')

/** The files of the versions after `name`. */
export const migrationsAfter = async (name: string): Promise<string[]> =>
  (await migrationFiles()).filter((file) => file > `${name}.sql`)

const migrationFiles = async (): Promise<string[]> =>
  (await readdir(join(packageRoot, 'db', 'migrations'))).filter((file) => file.endsWith('.sql')).toSorted()

async function openFolder(name: string): Promise<string> {
  await mkdir(folderOf(name), { recursive: true })
  return folderOf(name)
}

const statementsFile = (folder: string) => join(folder, 'statements.sql')

/** The statements of a version, one per line. */
export async function readStatements(name: string): Promise<string[]> {
  const text = await readFile(statementsFile(folderOf(name)), 'utf8')
  return text.split(';\n').filter(Boolean)
}

export async function writeStatements(name: string, statements: string[]): Promise<void> {
  const text = statements.map((statement) => `${statement};\n`).join('')
  await writeFile(statementsFile(await openFolder(name)), text)
}

export async function writeSection(name: string, section: Section, sql: string): Promise<void> {
  const packed = await promisify(gzip)(sql, { level: 9 })
  await writeFile(join(await openFolder(name), `${section}.sql.gz`), packed)
}

export async function writeRemembered(name: string, remembered: Remembered): Promise<void> {
  const text = JSON.stringify(remembered, undefined, 2)
  await writeFile(join(await openFolder(name), 'remembered.json'), `${text}\n`)
}

export async function readSection(name: string, section: Section): Promise<string> {
  const packed = await readFile(join(folderOf(name), `${section}.sql.gz`))
  return (await promisify(gunzip)(packed)).toString()
}

/** Into an empty database, as its owner. */
export async function loadDump(address: DatabaseAddress, name: string): Promise<void> {
  const sql = connect(address, { max: 1 })
  try {
    for (const section of SECTIONS) await sql.unsafe(await readSection(name, section))
  } finally {
    await sql.end()
  }
}

export async function readRemembered(name: string): Promise<Remembered> {
  return JSON.parse(await readFile(join(folderOf(name), 'remembered.json'), 'utf8')) as Remembered
}

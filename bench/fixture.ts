import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import { readConfig } from '../server/config.ts'
import { createApiKey } from '../server/modules/api-keys/index.ts'
import { createCompany } from '../server/modules/company/index.ts'
import { createEmployeeWithPassword } from '../server/modules/employees/index.ts'
import { addNumber } from '../server/modules/numbers/index.ts'
import { randomToken } from '../server/platform/crypto/crypto.ts'
import type { DatabaseAddress } from '../server/platform/db/address.ts'
import type { Database, Sql, Tx } from '../server/platform/db/database.ts'
import { createLog } from '../server/platform/log.ts'
import { packageRoot } from '../server/platform/package-root.ts'
import { openInstallationDatabase } from '../server/wiring/database.ts'

/** What every bench needs: a database with one company, and servers on the same database. */
export interface Fixture {
  sql: Sql
  /** Another company, with two numbers. */
  addCompany(): Promise<FixtureCompany>
  db: Database
  companyId: string
  /** The key of an employee of the company. */
  apiKey: string
  dataDir: string
  /** Bellhop as `npm start` runs it, with more settings and options of Node.js if given; returns its address. */
  startBellhop(environment?: Record<string, string>, nodeOptions?: string[]): Promise<string>
  /** A file of this folder that serves the bare minimum, for comparison. */
  startBare(file: string): Promise<string>
  /** The ids of the processes that were started, in this order. */
  processIds(): number[]
}

export interface FixtureCompany {
  companyId: string
  /** The key of an employee of the company. */
  apiKey: string
  numberIds: [string, string]
  employee: { email: string; password: string }
}

/** The options of such a server, as JSON in its first argument. */
export interface BareOptions {
  address: DatabaseAddress
  poolSize: number
  companyId: string
}

/** Sets up the fixture, runs `play` on it and tears everything down. */
export async function withFixture<T>(play: (fixture: Fixture) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bellhop-bench-'))
  // If run as root, PostgreSQL drops to another account, which must be able to enter the directory.
  await chmod(dataDir, 0o755)
  const config = readConfig({ BELLHOP_DATA_DIR: dataDir })
  const store = await openInstallationDatabase(config, createLog({ level: 'warn' }))
  const children: ChildProcess[] = []
  try {
    let companies = 0
    const addCompany = () => store.db.tx((tx) => createFixtureCompany(tx, ++companies))
    const { companyId, apiKey } = await addCompany()
    const start = (args: string[], env: Record<string, string> = {}) => startServer(args, env, children)
    const options: BareOptions = {
      address: store.db.address,
      poolSize: config.databasePoolSize,
      companyId,
    }
    return await play({
      sql: store.db.sql,
      addCompany,
      db: store.db,
      companyId,
      apiKey,
      dataDir,
      startBellhop: (environment = {}, nodeOptions = []) =>
        start([...nodeOptions, join(packageRoot, 'dist/bin/bellhop.js'), 'serve'], {
          PORT: '0',
          SIP_PORT: '0',
          BELLHOP_DATA_DIR: dataDir,
          ...environment,
        }),
      startBare: (file) => start([join(import.meta.dirname, file), JSON.stringify(options)]),
      processIds: () => children.map(({ pid }) => pid!),
    })
  } finally {
    await Promise.all(children.map(stopServer))
    await store.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function createFixtureCompany(tx: Tx, serial: number): Promise<FixtureCompany> {
  const { id: companyId } = await createCompany(tx, { name: `Bench ${serial}`, country: 'DK' })
  const employee = { name: 'Anna', email: `anna@${serial}.example`, password: randomToken() }
  const { id: employeeId } = await createEmployeeWithPassword(tx, { companyId }, employee)
  const addOne = async (digit: number) =>
    (await addNumber(tx, companyId, { name: 'Shop', number: `+457${serial}00000${digit}`, language: 'en' }))
      .id
  return {
    companyId,
    apiKey: (await createApiKey(tx, employeeId, 'bench')).key,
    numberIds: [await addOne(1), await addOne(2)],
    employee,
  }
}

/** Starts a server that prints its address. Its log goes nowhere, but is written. */
async function startServer(
  args: string[],
  env: Record<string, string>,
  children: ChildProcess[],
): Promise<string> {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  children.push(child)
  for await (const line of createInterface({ input: child.stdout })) {
    const [url] = line.match(/http:\/\/\S+/) ?? []
    if (url) {
      child.stdout.resume()
      return url
    }
  }
  throw new Error(`${args[0]} ended before it was ready`)
}

async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

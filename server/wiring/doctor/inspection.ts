import { join } from 'node:path'

import type { Config } from '../../config.ts'
import { type EdgeAddress, runningEdges } from '../../modules/edges/index.ts'
import { systemClock, withTimeout } from '../../platform/clock.ts'
import { type DatabaseAddress, directAddress } from '../../platform/db/address.ts'
import { connect, type DedicatedSql, type Sql } from '../../platform/db/database.ts'
import { findEmbeddedPostgres } from '../../platform/embedded-postgres/find-running.ts'
import type { Log } from '../../platform/log.ts'
import { DATABASE_NAME, outsideAddress, whyNotReached } from '../database.ts'
import { isEngineInstalled } from '../engines/missing-engines.ts'
import { type LabelledProcess, readProcessLabel } from '../process-label.ts'
import { findInstallationSecret } from '../secret.ts'
import { type Finding, problem, errorReason, warning } from './finding.ts'
import { DOCTOR_LIMITS } from './limits.ts'
import { selectSessions } from './queries.ts'

export type FoundDatabase =
  | { isOpen: true; sql: DedicatedSql }
  /** `isStopped` if nothing of this installation runs, which is certain only with the embedded database. */
  | { isOpen: false; isStopped: boolean; finding: Finding }

export interface RunningProcess extends LabelledProcess {
  /** The address from which it connects to the database; null on the same machine. */
  address: string | null
}

/** What the checks share that need no database of their own; a running process has all of it at hand. */
export interface Surroundings {
  config: Config
  log: Log
  /** Undefined if there is none yet, or it cannot be read. */
  secret: string | undefined
  /** Undefined if the database cannot be reached, so that nobody knows. */
  processes: RunningProcess[] | undefined
  edges: EdgeAddress[] | undefined
}

/** What all checks share. */
export interface Inspection extends Surroundings {
  database: FoundDatabase
  close(): Promise<void>
}

export async function openInspection(config: Config, log: Log): Promise<Inspection> {
  const found = await withTimeout(systemClock, DOCTOR_LIMITS.checkMs, findDatabase(config))
  const database = found.ok ? found.value : silent
  // The check of the secrets reports why it cannot be read.
  const secret = await findInstallationSecret(config).catch(() => undefined)
  const nobody = !database.isOpen && database.isStopped ? [] : undefined
  return {
    config,
    log,
    database,
    secret,
    processes: database.isOpen ? await listProcesses(database.sql) : nobody,
    // A database without tables has no edges.
    edges: database.isOpen ? await runningEdges(database.sql).catch(() => []) : nobody,
    async close() {
      if (database.isOpen) await database.sql.end()
    },
  }
}

const silent: FoundDatabase = {
  isOpen: false,
  isStopped: false,
  finding: problem('The database accepts connections, but does not respond.', 'Restart PostgreSQL.'),
}

const notInstalled = problem(
  'The embedded PostgreSQL is not installed, and DATABASE_URL is not set.',
  'Run `bellhop engines add database`, or set DATABASE_URL to an external PostgreSQL.',
)

async function findDatabase(config: Config): Promise<FoundDatabase> {
  if (config.databaseUrl) return open(directAddress(outsideAddress(config)))
  const dir = join(config.dataDir, 'postgres')
  if (!isEngineInstalled('database')) return { isOpen: false, isStopped: false, finding: notInstalled }
  try {
    const found = await findEmbeddedPostgres(dir)
    if (found.is === 'running') return await open({ ...found.address, database: DATABASE_NAME })
    return { isOpen: false, isStopped: true, finding: whyNotRunning(dir, found) }
  } catch (error) {
    const finding = problem((error as Error).message, 'Check BELLHOP_DATA_DIR and the owner of the folder.')
    return { isOpen: false, isStopped: false, finding }
  }
}

function whyNotRunning(
  dir: string,
  found: { is: 'missing' } | { is: 'stopped'; version: string; packaged: string },
): Finding {
  if (found.is === 'missing')
    return warning(
      `There is no database in ${dir} yet.`,
      'Start Bellhop, which creates it, and run this again.',
    )
  const { version, packaged } = found
  if (version !== packaged)
    return problem(
      `The database in ${dir} is one of PostgreSQL ${version}, and this Bellhop brings PostgreSQL ${packaged}.`,
      'Move the database as docs/operating/upgrade.md says.',
    )
  return warning(
    'The embedded PostgreSQL is not running, because Bellhop is stopped: migrations, clock, processes and queues were not checked.',
    'Start Bellhop and run this again.',
  )
}

async function open(address: DatabaseAddress): Promise<FoundDatabase> {
  const sql = connect(address, {
    max: 1,
    connectionTimeoutMillis: DOCTOR_LIMITS.connectSeconds * 1_000,
    application_name: 'bellhop doctor',
    statement_timeout: DOCTOR_LIMITS.requestMs,
  })
  try {
    await selectSessions(sql)
    return { isOpen: true, sql }
  } catch (error) {
    await sql.end()
    const told = whyNotReached(error)
    const message =
      told === error ? `The database does not respond (${errorReason(error)}).` : (told as Error).message
    const action = 'Start PostgreSQL, or correct DATABASE_URL.'
    return { isOpen: false, isStopped: false, finding: problem(message, action) }
  }
}

export async function listProcesses(sql: Sql): Promise<RunningProcess[]> {
  return (await selectSessions(sql)).flatMap(({ applicationName, address }) => {
    const process = readProcessLabel(applicationName)
    return process ? [{ ...process, address }] : []
  })
}

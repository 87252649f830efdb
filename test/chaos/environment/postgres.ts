import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

import { connect, type DedicatedSql } from '../../../server/platform/db/database.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'

const PACKAGES = '/usr/lib/postgresql'
const PASSWORD = 'out/side'
const LIMITS = { startMs: 120_000, lookMs: 100, connections: 200, tailLines: 40 }

const SETTINGS = [
  'unix_socket_directories=',
  // The machine itself does not crash here: what a killed PostgreSQL wrote is in the memory of the system.
  'fsync=off',
  `max_connections=${LIMITS.connections}`,
  'shared_buffers=64MB',
  'max_wal_size=128MB',
  'log_min_messages=warning',
]

export interface Postgres {
  /** The URL of the installation's database, for an ordinary role, at `host`. */
  url(host: string): string
  /** The superuser's URL, past the proxy between Bellhop and the database. */
  connect(): DedicatedSql
  ask(statement: string): Promise<void>
  /** Resolves when it accepts connections; it may have exited by itself. */
  start(): Promise<void>
  stop(how: 'fast' | 'immediate'): Promise<void>
  /** All of its processes at once, as on a machine that is out of memory. */
  kill(): Promise<void>
  /** Undefined if we may not mount. */
  disk: SmallDisk | undefined
  tail(): string[]
  close(): Promise<void>
}

/** Debian's PostgreSQL of the newest installed version, with a database for the campaign. */
export async function startPostgres(folder: string, host: string, port: number): Promise<Postgres> {
  const bin = join(PACKAGES, newestVersion(), 'bin')
  const account = await accountToRunAs()
  const place = join(folder, 'postgres')
  const disk = await mountSmallDisk(place, account)
  await mkdir(place, { recursive: true })
  await chown(place, account.uid, account.gid)
  const [data, passwordFile] = [join(place, 'data'), join(folder, 'password')]
  await writeFile(passwordFile, PASSWORD)
  const how = ['--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--username=postgres', '--no-sync']
  await promisify(execFile)(join(bin, 'initdb'), ['-D', data, ...how], { ...account, cwd: place })

  const lines: string[] = []
  let running: { server: ChildProcess; ended: Promise<void>; isOver: boolean } | undefined
  function launch() {
    const settings = [...SETTINGS, `listen_addresses=${host}`].flatMap((setting) => ['-c', setting])
    const server = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...settings], {
      ...account,
      cwd: place,
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    })
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      lines.push(...text.split('\n').filter(Boolean))
      lines.splice(0, lines.length - LIMITS.tailLines)
    })
    const one = { server, isOver: false, ended: Promise.resolve() }
    one.ended = new Promise((resolve) =>
      server.once('exit', () => {
        one.isOver = true
        resolve()
      }),
    )
    running = one
  }

  const address = (role: string, at: string, database: string) =>
    `postgres://${role}:${encodeURIComponent(PASSWORD)}@${at}:${port}/${database}`
  const superuser = (database: string, max = 1) =>
    connect(
      { url: address('postgres', host, database) },
      // Whatever the server is configured to do for everybody else.
      {
        max,
        application_name: 'chaos',
        statement_timeout: 0,
        options: '-c default_transaction_read_only=off',
      },
    )
  async function ask(statement: string, database = 'bellhop'): Promise<void> {
    const sql = superuser(database)
    try {
      await sql.unsafe(statement)
    } finally {
      await sql.end()
    }
  }
  const answers = () =>
    ask('select 1', 'postgres').then(
      () => true,
      () => false,
    )
  async function start(): Promise<void> {
    for (
      const since = performance.now();
      performance.now() - since < LIMITS.startMs;
      await pause(LIMITS.lookMs)
    ) {
      if (!running || running.isOver) launch()
      if (await answers()) return
    }
    throw new Error(`PostgreSQL does not start: ${lines.join('\n')}`)
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    running?.server.kill(signal)
    await running?.ended
  }

  await start()
  await ask(`create role bellhop login password '${PASSWORD}'`, 'postgres')
  await ask("create database bellhop owner bellhop encoding 'UTF8' template template0", 'postgres')
  return {
    url: (at) => address('bellhop', at, 'bellhop'),
    connect: () => superuser('bellhop', 2),
    ask,
    start,
    stop: (how) => end(how === 'fast' ? 'SIGINT' : 'SIGQUIT'),
    async kill() {
      for (const child of childrenOf(running?.server.pid)) kill(child)
      await end('SIGKILL')
    },
    disk,
    tail: () => [...lines],
    async close() {
      await end('SIGQUIT')
      await disk?.unmount()
    },
  }
}

function newestVersion(): string {
  let versions: string[] = []
  try {
    versions = readdirSync(PACKAGES)
  } catch {
    // None is installed.
  }
  const newest = versions.toSorted((a, b) => Number(b) - Number(a))[0]
  if (!newest) throw new Error(`PostgreSQL is not in ${PACKAGES}: run test/setup/install-programs`)
  return newest
}

/** PostgreSQL refuses to run as root; Debian's package has an account for it. */
export async function accountToRunAs(): Promise<{ uid: number; gid: number }> {
  const [uid, gid] = [process.getuid!(), process.getgid!()]
  if (uid !== 0) return { uid, gid }
  return { uid: await idOfPostgres('-u'), gid: await idOfPostgres('-g') }
}

async function idOfPostgres(flag: '-u' | '-g'): Promise<number> {
  return Number((await promisify(execFile)('id', [flag, 'postgres'])).stdout)
}

export function childrenOf(pid: number | undefined): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has exited by itself.
  }
}

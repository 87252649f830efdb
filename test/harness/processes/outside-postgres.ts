import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { connect } from '../../../server/platform/db/database.ts'
import { afterFile } from '../after-file.ts'
import { selfSigned } from '../sip/certificate.ts'
import { newFolder, until } from './bellhop-process.ts'
import { freePort } from './ports.ts'

export const BIN = '/usr/lib/postgresql/15/bin'
const PASSWORD = 'out/side'

export interface OutsidePostgres {
  /** The file of its self-signed certificate for localhost. */
  certificate: string
  /** A new, empty database that an ordinary role owns. */
  newDatabase(): Promise<string>
  /** Runs a statement in the database that `url` names. */
  asSuperuser(url: string, statement: string): Promise<void>
  /** As `pg_ctl stop` does: connections are closed in order, or broken. */
  stop(mode?: keyof typeof STOPS): Promise<void>
  /** Restarts after a stop. */
  start(): Promise<void>
  /** `host:port`. */
  at: string
  /** A server that follows this one, with all its databases. */
  newStandby(): Promise<Standby>
}

export interface Standby {
  at: string
  /** It becomes a primary. */
  promote(): Promise<void>
}

const STOPS = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const

/** Debian's PostgreSQL on its own port. It requires passwords, as a server on a network does. */
export async function startOutsidePostgres(): Promise<OutsidePostgres> {
  if (!existsSync(join(BIN, 'initdb')))
    throw new Error(`PostgreSQL 15 is not in ${BIN}: run test/setup/install-programs`)
  const folder = await newFolder()
  const account = await accountToRunAs()
  await chown(folder, account.uid, account.gid)
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, PASSWORD)
  const data = join(folder, 'data')
  const authentication = ['--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--username=postgres']
  await promisify(execFile)(join(BIN, 'initdb'), ['-D', data, '--no-sync', ...authentication], {
    ...account,
    cwd: folder,
  })
  const { key, cert } = await selfSigned()
  const certificate = join(folder, 'cert.pem')
  await writeFile(certificate, cert)
  // PostgreSQL refuses a key that others may read.
  await writeFile(join(folder, 'key.pem'), key, { mode: 0o600 })
  await chown(join(folder, 'key.pem'), account.uid, account.gid)
  const tls = ['ssl=on', `ssl_cert_file=${certificate}`, `ssl_key_file=${join(folder, 'key.pem')}`]
  const port = await freePort()
  const settings = [...tls, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off']
  const launch = (place = data, at = port) => {
    const server = spawn(
      join(BIN, 'postgres'),
      ['-D', place, '-p', String(at), ...settings.flatMap((setting) => ['-c', setting])],
      { ...account, cwd: folder, stdio: 'ignore' },
    )
    return { server, ended: new Promise<void>((resolve) => server.once('exit', () => resolve())) }
  }

  const address = (role: string, database: string, at = port) =>
    `postgres://${role}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${at}/${database}`
  const asSuperuser = async (url: string, statement: string) => {
    const { pathname, port: at } = new URL(url)
    const sql = connect({ url: address('postgres', pathname.slice(1), Number(at)) }, { max: 1 })
    try {
      await sql.unsafe(statement)
    } finally {
      await sql.end()
    }
  }
  const main = address('postgres', 'postgres')
  const isUp = (url = main) =>
    asSuperuser(url, 'select 1').then(
      () => true,
      () => false,
    )
  let running = launch()
  await until(() => isUp())
  await asSuperuser(main, `create role bellhop login password '${PASSWORD}'`)
  let databases = 0
  const stop: OutsidePostgres['stop'] = async (mode = 'fast') => {
    running.server.kill(STOPS[mode])
    await running.ended
  }
  afterFile(() => stop())

  async function newStandby(): Promise<Standby> {
    const standbyPort = await freePort()
    const copy = join(folder, `standby-${standbyPort}`)
    const from = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres']
    const how = ['--write-recovery-conf', '--checkpoint=fast', '--no-sync']
    await promisify(execFile)(join(BIN, 'pg_basebackup'), ['-D', copy, ...from, ...how], {
      ...account,
      cwd: folder,
      env: { PGPASSWORD: PASSWORD },
    })
    const standby = launch(copy, standbyPort)
    afterFile(async () => {
      standby.server.kill(STOPS.immediate)
      await standby.ended
    })
    const url = address('postgres', 'postgres', standbyPort)
    await until(() => isUp(url))
    return { at: `127.0.0.1:${standbyPort}`, promote: () => asSuperuser(url, 'select pg_promote()') }
  }

  return {
    at: `127.0.0.1:${port}`,
    newStandby,
    certificate,
    asSuperuser,
    stop,
    async start() {
      running = launch()
      await until(() => isUp())
    },
    async newDatabase() {
      const name = `bellhop_${++databases}`
      await asSuperuser(main, `create database ${name} owner bellhop encoding 'UTF8' template template0`)
      return address('bellhop', name)
    },
  }
}

/** PostgreSQL does not run as root; Debian's package has an account for it. */
export async function accountToRunAs(): Promise<{ uid: number; gid: number }> {
  const [uid, gid] = [process.getuid!(), process.getgid!()]
  if (uid !== 0) return { uid, gid }
  return { uid: await idOfPostgres('-u'), gid: await idOfPostgres('-g') }
}

async function idOfPostgres(flag: '-u' | '-g'): Promise<number> {
  return Number((await promisify(execFile)('id', [flag, 'postgres'])).stdout)
}

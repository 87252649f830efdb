import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, openSync, readFileSync } from 'node:fs'
import { chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { accountToRunAs, childrenOf, kill } from '../../chaos/environment/postgres.ts'

export const PORTS = { etcd: 2379, etcdPeers: 2380, patroni: 8008, postgres: 5432, pgbouncer: 6432 }
export const PASSWORD = 'fail-over'
const BIN = '/usr/lib/postgresql/15/bin'

/** Programs and the Debian packages that bring them. */
const NEEDED = {
  '/usr/bin/etcd': 'etcd-server',
  '/usr/bin/patroni': 'patroni',
  '/usr/sbin/pgbouncer': 'pgbouncer',
  [`${BIN}/postgres`]: 'postgresql-15',
}

export function refuseMissingPrograms(): void {
  const missing = Object.entries(NEEDED).filter(([program]) => !existsSync(program))
  if (missing.length > 0)
    throw new Error(`missing programs: apt-get install ${missing.map(([, name]) => name).join(' ')}`)
}

/** One machine of the cluster, which is an address here: a member of etcd, and a PostgreSQL with Patroni if it has one. */
export interface Machine {
  name: string
  host: string
  start(): Promise<void>
  /** All its programs at once, as if the power had failed; but the system closes their connections. */
  kill(): void
}

interface MachineParts {
  name: string
  host: string
  folder: string
  members: { name: string; host: string }[]
  hasPostgres: boolean
}

export async function prepareMachine({
  name,
  host,
  folder,
  members,
  hasPostgres,
}: MachineParts): Promise<Machine> {
  const account = await accountToRunAs()
  const place = join(folder, name)
  await mkdir(place, { recursive: true })
  await chown(place, account.uid, account.gid)
  const files = { patroni: join(place, 'patroni.json'), pgbouncer: join(place, 'pgbouncer.ini') }
  // JSON is YAML.
  await writeFile(files.patroni, JSON.stringify(patroniSettings({ name, host, place, members })))
  await writeFile(files.pgbouncer, pgbouncerSettings(host, join(place, 'users.txt')))
  await writeFile(join(place, 'users.txt'), `"bellhop" "${PASSWORD}"\n`)
  const running = new Set<ChildProcess>()
  let starts = 0

  function launch(program: string, args: string[]): void {
    const log = openSync(join(place, `${program.split('/').at(-1)}.log`), 'a')
    const child = spawn(program, args, {
      ...account,
      cwd: place,
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: place, ETCD_UNSUPPORTED_ARCH: process.arch },
      stdio: ['ignore', log, log],
      detached: true,
    })
    running.add(child)
    child.once('exit', () => running.delete(child))
  }

  return {
    name,
    host,
    async start() {
      launch('/usr/bin/etcd', etcdArguments({ name, host, place, members, isNew: starts++ === 0 }))
      if (!hasPostgres) return
      launch('/usr/bin/patroni', [files.patroni])
      launch('/usr/sbin/pgbouncer', ['-q', files.pgbouncer])
    },
    kill() {
      const postmaster = postmasterIn(join(place, 'data'))
      for (const child of running) kill(child.pid!)
      if (postmaster) for (const pid of [postmaster, ...childrenOf(postmaster)]) kill(pid)
    },
  }
}

function etcdArguments({
  name,
  host,
  place,
  members,
  isNew,
}: Omit<MachineParts, 'hasPostgres' | 'folder'> & { place: string; isNew: boolean }): string[] {
  const [own, peers] = [`http://${host}:${PORTS.etcd}`, `http://${host}:${PORTS.etcdPeers}`]
  const all = members.map((one) => `${one.name}=http://${one.host}:${PORTS.etcdPeers}`).join(',')
  return Object.entries({
    name,
    'data-dir': join(place, 'etcd'),
    'listen-client-urls': own,
    'advertise-client-urls': own,
    'listen-peer-urls': peers,
    'initial-advertise-peer-urls': peers,
    'initial-cluster': all,
    'initial-cluster-state': isNew ? 'new' : 'existing',
    'log-level': 'warn',
    // The disk of a machine that stands for several is slow.
    'heartbeat-interval': '250',
    'election-timeout': '2500',
  }).map(([option, value]) => `--${option}=${value}`)
}

function patroniSettings({
  name,
  host,
  place,
  members,
}: Omit<MachineParts, 'hasPostgres' | 'folder'> & { place: string }) {
  return {
    scope: 'bellhop',
    name,
    restapi: { listen: `${host}:${PORTS.patroni}`, connect_address: `${host}:${PORTS.patroni}` },
    etcd3: { hosts: members.map((one) => `${one.host}:${PORTS.etcd}`) },
    bootstrap: {
      dcs: {
        ttl: 15,
        loop_wait: 3,
        retry_timeout: 5,
        synchronous_mode: true,
        postgresql: {
          use_pg_rewind: true,
          // Nothing here survives a crash of the machine, and its disk serves all of them.
          parameters: { max_connections: 200, fsync: 'off', shared_buffers: '64MB', wal_log_hints: 'on' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }],
    },
    postgresql: {
      listen: `${host}:${PORTS.postgres}`,
      connect_address: `${host}:${PORTS.postgres}`,
      data_dir: join(place, 'data'),
      bin_dir: BIN,
      pgpass: join(place, 'pgpass'),
      pg_hba: ['host all all 127.0.0.0/8 scram-sha-256', 'host replication all 127.0.0.0/8 scram-sha-256'],
      parameters: { unix_socket_directories: '' },
      authentication: Object.fromEntries(
        Object.entries({ superuser: 'postgres', replication: 'replicator', rewind: 'rewinder' }).map(
          ([use, username]) => [use, { username, password: PASSWORD }],
        ),
      ),
    },
  }
}

/** As docs/operating/scale.md shows it. */
const pgbouncerSettings = (host: string, users: string) =>
  [
    '[databases]',
    `bellhop = host=${host} port=${PORTS.postgres} connect_query='set statement_timeout = 30000; set jit = off'`,
    '[pgbouncer]',
    `listen_addr = ${host}`,
    `listen_port = ${PORTS.pgbouncer}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${users}`,
    'pool_mode = transaction',
    'default_pool_size = 20',
    'server_login_retry = 1',
  ].join('\n')

/** The PID that PostgreSQL has noted, if it runs. */
function postmasterIn(data: string): number | undefined {
  try {
    return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
  } catch {
    return undefined
  }
}

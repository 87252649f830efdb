import { setTimeout as pause } from 'node:timers/promises'

import { connect, type DedicatedSql } from '../../../server/platform/db/database.ts'
import type { Network } from '../../chaos/environment/network.ts'
import { type Machine, PASSWORD, PORTS, prepareMachine } from './machine.ts'

/** Addresses of the campaign's network: PostgreSQL on the first two, etcd on all. */
const HOSTS = [41, 42, 43]
const LIMITS = { startMs: 180_000, lookMs: 250, promotionLookMs: 20 }

export interface Cluster {
  /** All machines with PostgreSQL, of which the primary is wanted. */
  url: string
  /** The same through the pooler of each machine. */
  pooledUrl: string
  /** As the superuser, to the primary. */
  connect(): DedicatedSql
  primary(): Promise<Machine>
  /** The machine that will be promoted. */
  standby(): Promise<Machine>
  /** Resolves when PostgreSQL on this machine accepts writes, with that time (of `performance.now()`). */
  promoted(machine: Machine): Promise<number>
  /** Until the primary has a synchronous standby. */
  untilReplicated(): Promise<void>
}

/** Patroni with a synchronous standby, and etcd of three members. */
export async function startCluster(
  folder: string,
  network: Network,
  closes: (() => Promise<void> | void)[],
): Promise<Cluster> {
  const members = HOSTS.map((host, index) => ({
    name: `machine-${index + 1}`,
    host: network.address(host),
  }))
  const machines = await Promise.all(
    members.map((member, index) => prepareMachine({ ...member, folder, members, hasPostgres: index < 2 })),
  )
  closes.push(() => machines.forEach((machine) => machine.kill()))
  for (const machine of machines) await machine.start()
  const servers = machines.slice(0, 2)

  const urlAt = (role: string, database: string, port: number) =>
    `postgres://${role}:${PASSWORD}@${servers.map(({ host }) => `${host}:${port}`).join(',')}/${database}`
  const asSuperuser = (database: string) =>
    connect({ url: urlAt('postgres', database, PORTS.postgres) }, { max: 1, statement_timeout: 0 })
  async function ask(statement: string): Promise<void> {
    const sql = asSuperuser('postgres')
    try {
      await sql.unsafe(statement)
    } finally {
      await sql.end()
    }
  }

  /** Patroni answers with 200 if the server has that role. */
  async function withRole(role: 'primary' | 'sync'): Promise<Machine> {
    for (const since = performance.now(); performance.now() - since < LIMITS.startMs;) {
      for (const machine of servers) {
        const answer = await fetch(`http://${machine.host}:${PORTS.patroni}/${role}`).catch(() => undefined)
        if (answer?.status === 200) return machine
      }
      await pause(LIMITS.lookMs)
    }
    throw new Error(`no server has the role ${role}`)
  }

  await withRole('primary')
  await ask(`create role bellhop login password '${PASSWORD}'`)
  await ask("create database bellhop owner bellhop encoding 'UTF8' template template0")
  return {
    url: urlAt('bellhop', 'bellhop', PORTS.postgres),
    pooledUrl: urlAt('bellhop', 'bellhop', PORTS.pgbouncer),
    connect: () => asSuperuser('bellhop'),
    primary: () => withRole('primary'),
    standby: () => withRole('sync'),
    async promoted({ host }) {
      const url = `postgres://postgres:${PASSWORD}@${host}:${PORTS.postgres}/postgres`
      const sql = connect({ url }, { max: 1 })
      try {
        for (;;) {
          // A busy machine may refuse a connection.
          const rows = await sql<{ standby: boolean }[]>`select pg_is_in_recovery() as standby`.catch(
            () => [],
          )
          if (rows[0]?.standby === false) return performance.now()
          await pause(LIMITS.promotionLookMs)
        }
      } finally {
        await sql.end()
      }
    },
    async untilReplicated() {
      await withRole('sync')
    },
  }
}

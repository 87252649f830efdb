import type { Socket } from 'node:net'

import { Client, type ClientConfig, type QueryResult } from 'pg'

import { systemClock, withTimeout } from '../../clock.ts'
import { PLATFORM_LIMITS } from '../../limits.ts'
import { type DatabaseAddress, type DatabaseHost, isPooled, type WantedSession } from '../address.ts'
import { hostsOf } from './hosts.ts'
import { neverPrepareOn } from './statement-group.ts'
import { typeParsers } from './type-parsers.ts'

const APPLICATION_NAME = 'bellhop'

/** Settings of every connection. */
export const SESSION_SETTINGS = {
  application_name: APPLICATION_NAME,
  statement_timeout: PLATFORM_LIMITS.statementMs,
  idle_in_transaction_session_timeout: PLATFORM_LIMITS.idleInTransactionMs,
}

/**
 * PostgreSQL plans a prepared statement once and keeps the plan while the table grows, until the next ANALYZE. For a
 * table that was small then, the plan would be to read all of it. Every statement has an index, so that plan is never right.
 * Compiling plans takes longer than any of our statements.
 */
const PLANNING = ['set enable_seqscan = off', 'set jit = off']

/** A session that is not the wanted one says `on`. */
const REFUSAL: Record<WantedSession, string[]> = {
  any: [],
  'read-write': ['show transaction_read_only'],
  primary: ['show in_hot_standby'],
}

interface ConnectionOptions {
  settings?: ClientConfig
  /** Gets the sockets of the connection while they are open. To destroy them breaks it. */
  sockets: Set<Socket>
  /** Called before the pending queries are rejected. */
  onLost(): void
}

export async function openConnection(
  address: DatabaseAddress,
  { settings, sockets, onLost }: ConnectionOptions,
): Promise<Client> {
  const hosts = hostsOf(address)
  const client = await hosts.reach(async ({ config }, socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    const dialled = new Client({
      ...config,
      ...(isPooled(address) ? { application_name: APPLICATION_NAME } : SESSION_SETTINGS),
      connectionTimeoutMillis: hosts.timeoutMs,
      types: typeParsers,
      pipeline: true,
      stream: () => socket,
      ...settings,
    })
    // A failure while it is opened is the caller's.
    dialled.on('error', () => {})
    await dialled.connect().catch(throwWithCode)
    if (isPooled(address)) neverPrepareOn(dialled)
    await inTime(hosts.timeoutMs, begin(dialled, isPooled(address) ? [] : PLANNING, hosts.wanted))
    return dialled
  })
  return client.on('error', onLost)
}

/** Rejects if the session is not the wanted one. */
async function begin(client: Client, settings: string[], wanted: WantedSession): Promise<void> {
  const statements = [...settings, ...REFUSAL[wanted]]
  if (statements.length === 0) return
  const results = await client.query(statements.join(';')).catch(throwWithCode)
  const { rows } = [results as QueryResult | QueryResult[]].flat().at(-1)!
  if (Object.values((rows[0] ?? {}) as object)[0] === 'on') throw sessionRefused()
}

/** A server that goes silent in the middle would keep the connection from being opened elsewhere. */
export async function inTime(limitMs: number, work: Promise<void>): Promise<void> {
  const { ok } = await withTimeout(systemClock, limitMs, work)
  if (!ok) throw connectionClosed()
}

/** The same for a connection that something else has opened. */
export const refuseUnwanted = (client: Client, wanted: WantedSession) => begin(client, [], wanted)

/** Finds the right host, if no open connection leads to it. */
export async function findHost(address: DatabaseAddress): Promise<DatabaseHost> {
  const hosts = hostsOf(address)
  const current = hosts.current()
  if (current) return current
  const client = await openConnection(address, { sockets: new Set(), onLost: () => {} })
  const found = hosts.current()
  await client.end()
  return found ?? findHost(address)
}

const CONNECTION_CLOSED = 'CONNECTION_CLOSED'

export function connectionClosed(): Error {
  return Object.assign(new Error('the connection to PostgreSQL was closed'), { code: CONNECTION_CLOSED })
}

/** The server is a standby, or refuses writes. */
const sessionRefused = () =>
  Object.assign(new Error('the server accepts no writes'), { code: 'CONNECTION_READ_ONLY' })

const READ_ONLY_TRANSACTION = '25006'

/** A write failed because the server became a standby: only another connection can lead to the new primary. */
export const isReadOnly = (error: unknown) => (error as { code?: string }).code === READ_ONLY_TRANSACTION

/** The driver's errors about a lost connection have no code. */
export function throwWithCode(error: Error & { code?: string }): never {
  error.code ??= CONNECTION_CLOSED
  throw error
}

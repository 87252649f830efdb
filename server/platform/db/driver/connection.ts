import type { Socket } from 'node:net'

import { Client, type ClientConfig } from 'pg'

import { PLATFORM_LIMITS } from '../../limits.ts'
import { clientConfig, type DatabaseAddress } from '../address.ts'
import { typeParsers } from './type-parsers.ts'

/** Settings of every connection. */
export const SESSION_SETTINGS = {
  application_name: 'bellhop',
  statement_timeout: PLATFORM_LIMITS.statementMs,
  idle_in_transaction_session_timeout: PLATFORM_LIMITS.idleInTransactionMs,
}

/**
 * PostgreSQL plans a prepared statement once and keeps the plan while the table grows, until the next ANALYZE. For a
 * table that was small then, the plan would be to read all of it. Every statement has an index, so that plan is never right.
 * Compiling plans takes longer than any of our statements.
 */
const PLANNING = 'set enable_seqscan = off; set jit = off'

interface ConnectionOptions {
  settings?: ClientConfig
  /** Not connected yet. To destroy it breaks the connection. */
  socket: Socket
  /** Called before the pending queries are rejected. */
  onLost(): void
}

export async function openConnection(
  address: DatabaseAddress,
  { settings, socket, onLost }: ConnectionOptions,
): Promise<Client> {
  const client = new Client({
    ...clientConfig(address),
    ...SESSION_SETTINGS,
    connectionTimeoutMillis: PLATFORM_LIMITS.connectSeconds * 1_000,
    types: typeParsers,
    pipeline: true,
    stream: () => socket,
    ...settings,
  })
  client.on('error', onLost)
  await client.connect().catch(throwWithCode)
  await client.query(PLANNING).catch(throwWithCode)
  return client
}

const CONNECTION_CLOSED = 'CONNECTION_CLOSED'

export function connectionClosed(): Error {
  return Object.assign(new Error('the connection to PostgreSQL was closed'), { code: CONNECTION_CLOSED })
}

/** The driver's errors about a lost connection have no code. */
export function throwWithCode(error: Error & { code?: string }): never {
  error.code ??= CONNECTION_CLOSED
  throw error
}

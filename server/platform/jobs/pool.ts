import { Pool } from 'pg'

import type { DatabaseAddress } from '../db/address.ts'

/** The job library speaks to PostgreSQL by a driver of its own. */
export function openJobPool(address: DatabaseAddress, max: number): Pool {
  const settings = 'url' in address ? { connectionString: address.url } : address
  const pool = new Pool({ ...settings, max, application_name: 'bellhop jobs' })
  // A connection that breaks is replaced at the next use; without a listener it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

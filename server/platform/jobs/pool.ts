import { Client, Pool } from 'pg'

import { clientConfig, type DatabaseAddress } from '../db/address.ts'
import { isTransient } from '../db/transient-error.ts'

/** The job library needs a pool of the driver. */
export function openJobPool(address: DatabaseAddress, max: number): Pool {
  const pool = new Pool({
    ...clientConfig(address),
    max,
    application_name: 'bellhop jobs',
    Client: JobClient,
  })
  // A broken connection is replaced at the next use; without a listener the error would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Returned by PostgreSQL while it starts; the job library then retries (graphile-worker 0.17.3, lib.js). */
const TRY_AGAIN = '57P03'
/** After these the library retries by itself, and sooner. */
const TRIED_AGAIN_SOON = /^(40001|40P01)$/
const LOST_WITHOUT_CODE = /^Connection terminated|not queryable/

/**
 * The job library stores the result of a job without handling a failure: if PostgreSQL is unavailable just then, or
 * read-only, the rejection ends the process, unless it has a code after which the library retries.
 */
class JobClient extends Client {
  override connect(callback?: any): any {
    if (!callback) return super.connect().catch(tryAgainIfPassing)
    return super.connect((error: unknown) => callback(error && markIfPassing(error)))
  }

  override query(...args: any[]): any {
    const result: unknown = (super.query as (...all: any[]) => unknown).apply(this, args)
    return result instanceof Promise ? result.catch(tryAgainIfPassing) : result
  }
}

function tryAgainIfPassing(error: unknown): never {
  throw markIfPassing(error)
}

function markIfPassing(error: unknown): unknown {
  const failure = error as Error & { code?: string }
  if (TRIED_AGAIN_SOON.test(failure.code ?? '')) return failure
  const passes = failure.code ? isTransient(failure.code) : LOST_WITHOUT_CODE.test(failure.message)
  return passes ? Object.assign(failure, { code: TRY_AGAIN }) : failure
}

import { Client, Pool } from 'pg'

import type { DatabaseAddress } from '../db/address.ts'
import { mayPass } from '../db/passing-failure.ts'

/** The job library speaks to PostgreSQL by a driver of its own. */
export function openJobPool(address: DatabaseAddress, max: number): Pool {
  const settings = 'url' in address ? { connectionString: address.url } : address
  const pool = new Pool({ ...settings, max, application_name: 'bellhop jobs', Client: JobClient })
  // A connection that breaks is replaced at the next use; without a listener it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** What PostgreSQL says while it starts; the job library then tries again (graphile-worker 0.17.3, lib.js). */
const TRY_AGAIN = '57P03'
/** After these it does so by itself, and sooner. */
const TRIED_AGAIN_SOON = /^(40001|40P01)$/
const LOST_WITHOUT_CODE = /^Connection terminated|not queryable/

/**
 * The job library tells how a job ended without looking whether that arrived: if PostgreSQL is away just then, or takes
 * no writes, the rejection ends the process, unless it has a code after which the library tries again.
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
  const passes = failure.code ? mayPass(failure.code) : LOST_WITHOUT_CODE.test(failure.message)
  return passes ? Object.assign(failure, { code: TRY_AGAIN }) : failure
}

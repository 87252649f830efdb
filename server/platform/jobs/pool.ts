import type { Socket } from 'node:net'

import { Client, type ClientConfig, Pool } from 'pg'

import { systemPause } from '../clock.ts'
import { type DatabaseAddress, type DatabaseHost, directAddress, readAddress } from '../db/address.ts'
import { findHost, isReadOnly, refuseUnwanted } from '../db/driver/connection.ts'
import { hostsOf } from '../db/driver/hosts.ts'
import { isTransient } from '../db/transient-error.ts'
import { PLATFORM_LIMITS } from '../limits.ts'

interface JobPoolOptions {
  max: number
  /**
   * If given, a connection that cannot be opened is tried again until this is aborted. The library by itself waits
   * longer after each failure, up to a minute, and would run no jobs for as long after PostgreSQL is back.
   */
  untilStopped?: AbortSignal
}

/** The job library needs a pool of the driver. */
export function openJobPool(address: DatabaseAddress, { max, untilStopped }: JobPoolOptions): Pool {
  const pool = new Pool({
    ...readAddress(directAddress(address)).hosts[0]!.config,
    max,
    idleTimeoutMillis: PLATFORM_LIMITS.jobIdleConnectionMs,
    application_name: 'bellhop jobs',
    Client: jobClientFor(directAddress(address), untilStopped),
  })
  pool.on('error', () => {})
  // The library asks for this one.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Returned by PostgreSQL while it starts; the job library then retries (graphile-worker 0.17.3, lib.js). */
const TRY_AGAIN = '57P03'
/** After these the library retries by itself, and sooner. */
const TRIED_AGAIN_SOON = /^(40001|40P01)$/
const LOST_WITHOUT_CODE = /^Connection terminated|not queryable/

/** The class of the pool's connections, which lead to the right one of several hosts. */
function jobClientFor(address: DatabaseAddress, untilStopped: AbortSignal | undefined) {
  const hosts = hostsOf(address)
  let finding: Promise<DatabaseHost> | undefined

  async function findPatiently(): Promise<DatabaseHost> {
    for (;;) {
      try {
        return await findHost(address)
      } catch (error) {
        const passes = isTransient((error as { code: string }).code)
        if (!passes || !untilStopped || untilStopped.aborted) throw error
        await systemPause(PLATFORM_LIMITS.jobRedialMs)
      }
    }
  }

  /**
   * The job library stores the result of a job without handling a failure: if PostgreSQL is unavailable just then, or
   * read-only, the rejection ends the process, unless it has a code after which the library retries.
   */
  return class JobClient extends Client {
    constructor(config?: ClientConfig) {
      super({ ...config, connectionTimeoutMillis: hosts.timeoutMs })
      // A broken connection is replaced at the next use; without a listener the error would end the process.
      this.on('error', () => {})
    }

    override connect(callback?: any): any {
      const connected = this.#connectToRight().catch(tryAgainIfPassing)
      if (!callback) return connected
      connected.then(
        () => callback(null, this),
        (error: unknown) => callback(error),
      )
    }

    async #connectToRight(): Promise<Client> {
      finding ??= findPatiently().finally(() => (finding = undefined))
      const found = await finding
      const { host, port } = new Client(found.config)
      Object.assign(this, { host, port })
      hosts.keep(found, this.connection.stream as Socket)
      await super.connect()
      await refuseUnwanted(this, hosts.wanted).catch(async (error: unknown) => {
        await this.end()
        throw error
      })
      return this
    }

    override query(...args: any[]): any {
      const result: unknown = (super.query as (...all: any[]) => unknown).apply(this, args)
      if (!(result instanceof Promise)) return result
      return result.catch((error: unknown) => {
        if (isReadOnly(error)) this.connection.stream.destroy()
        tryAgainIfPassing(error)
      })
    }
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

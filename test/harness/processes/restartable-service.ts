import type { DatabaseAddress } from '../../../server/platform/db/address.ts'
import type { Harness } from '../index.ts'
import { type Environment, newFolder, type Service, startService } from './bellhop-process.ts'
import { freePort } from './ports.ts'
import { startPostgresProxy } from './postgres-proxy.ts'

/**
 * A complete `bellhop serve` on the database of the harness: the function starts it, and after it has been killed
 * starts it again on the same ports.
 */
export async function newRestartableService(
  bellhop: Harness,
  environment: Environment,
): Promise<() => Promise<Service>> {
  const { host, port, user, database } = bellhop.db.address as Extract<DatabaseAddress, { host: string }>
  const proxy = await startPostgresProxy(`${host}/.s.PGSQL.${port}`)
  const cwd = await newFolder()
  const env = {
    BELLHOP_DATA_DIR: `${cwd}/data`,
    DATABASE_URL: `postgres://${user}@127.0.0.1:${proxy.address.port}/${database}`,
    PORT: String(await freePort()),
    ...environment,
  }
  return () => startService({ cwd, env })
}

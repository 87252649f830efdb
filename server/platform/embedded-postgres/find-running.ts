import { packagedVersion } from './binaries.ts'
import { findCluster, POSTGRES_PORT } from './cluster-location.ts'
import { versionOf } from './cluster.ts'
import type { EmbeddedPostgres } from './index.ts'
import { accepts } from './server.ts'

export type FoundPostgres =
  | { is: 'running'; address: EmbeddedPostgres['address'] }
  /** `version` is the one that created it, `packaged` the one that would be started. */
  | { is: 'stopped'; dir: string; version: string; packaged: string }
  | { is: 'missing' }

/** The embedded PostgreSQL as it is: nothing is created or started. */
export async function findEmbeddedPostgres(dir: string): Promise<FoundPostgres> {
  const cluster = await findCluster(dir)
  if (!cluster) return { is: 'missing' }
  if (await accepts(cluster.socket))
    return { is: 'running', address: { host: cluster.socketDir, port: POSTGRES_PORT, user: 'postgres' } }
  const version = (await versionOf(cluster.data)) ?? ''
  return { is: 'stopped', dir: cluster.dir, version, packaged: await packagedVersion() }
}

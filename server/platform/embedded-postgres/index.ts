import { findBinaries } from './binaries.ts'
import { chooseClusterLocation, POSTGRES_PORT } from './cluster-location.ts'
import { createCluster } from './cluster.ts'
import { superviseServer } from './process/supervise.ts'
import { makeFifo } from './server-references.ts'
import { createServer, type ServerLog } from './server.ts'

export interface EmbeddedPostgres {
  /** `host` is the directory of its Unix socket: nothing listens on the network. */
  address: { host: string; port: number; user: string }
  /** Where the cluster really is. */
  dir: string
  /** The configured directory, if PostgreSQL's account cannot reach it and another one is used. */
  movedFrom?: string
  /** This process no longer needs it. The last holder waits until PostgreSQL has stopped; may be called twice. */
  release(): Promise<void>
}

/**
 * PostgreSQL without installing PostgreSQL, in its own directory. Several processes may share it: it runs as long as
 * any of them does, is restarted if it dies, and stops with the last of them.
 */
export async function startEmbeddedPostgres(options: {
  dir: string
  log: ServerLog
}): Promise<EmbeddedPostgres> {
  const { log } = options
  const place = await chooseClusterLocation(options.dir)
  const { dir, movedFrom } = place
  if (movedFrom)
    log.warn({ dir, movedFrom }, `PostgreSQL's account cannot reach ${movedFrom}; its data is in ${dir}`)
  const binaries = await findBinaries(place)
  await createCluster(place, binaries)
  await makeFifo(place.holders, place.account)
  const release = await superviseServer(createServer(place, binaries, log), place, log)
  return {
    address: { host: place.socketDir, port: POSTGRES_PORT, user: 'postgres' },
    dir,
    ...(movedFrom && { movedFrom }),
    release,
  }
}

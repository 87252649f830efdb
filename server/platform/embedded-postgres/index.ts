import { findBinaries } from './binaries.ts'
import { createCluster } from './cluster.ts'
import { makeFifo } from './holders.ts'
import { choosePlace, PORT } from './place.ts'
import { keepUp } from './process/keep-up.ts'
import { createServer, type Log } from './server.ts'

export interface EmbeddedPostgres {
  /** `host` is the folder of its unix socket: nothing listens on the network. */
  address: { host: string; port: number; user: string }
  /** Where the cluster really is. */
  dir: string
  /** The wished folder, when PostgreSQL's account cannot reach it and another one was taken. */
  movedFrom?: string
  /** This process needs it no longer. The last holder waits for PostgreSQL's end; may be called twice. */
  release(): Promise<void>
}

/**
 * PostgreSQL without installing PostgreSQL, in a folder of its own. Several processes may hold the same one:
 * it runs as long as any of them does, is brought back if it dies, and stops when the last holder is gone.
 */
export async function startEmbeddedPostgres(options: { dir: string; log: Log }): Promise<EmbeddedPostgres> {
  const { log } = options
  const place = await choosePlace(options.dir)
  const { dir, movedFrom } = place
  if (movedFrom)
    log.warn({ dir, movedFrom }, `PostgreSQL's account cannot reach ${movedFrom}; its data is in ${dir}`)
  const binaries = await findBinaries(place)
  await createCluster(place, binaries)
  await makeFifo(place.holders, place.account)
  const release = await keepUp(createServer(place, binaries, log), place, log)
  return {
    address: { host: place.socketDir, port: PORT, user: 'postgres' },
    dir,
    ...(movedFrom && { movedFrom }),
    release,
  }
}

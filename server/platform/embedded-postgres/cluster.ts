import { lchown, mkdtemp, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'

import type { Binaries } from './binaries.ts'
import type { ClusterLocation } from './cluster-location.ts'
import { lastLine, runCommand } from './process/command.ts'
import { processExists } from './process/process.ts'

const INITDB_OPTIONS = [
  '--username=postgres',
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C',
  '--data-checksums',
  // Only the owner can reach the socket, and nothing listens on the network.
  '--auth-local=trust',
  '--auth-host=reject',
  '--no-instructions',
]

/** Creates the cluster unless there is one of this version: under a temporary name, then renamed. */
export async function createCluster(place: ClusterLocation, binaries: Binaries): Promise<void> {
  const version = await versionOf(place.data)
  if (version !== undefined) return refuseOther(version, place, binaries)
  await removeAbandoned(place)
  const beside = await mkdtemp(`${place.data}.init-${process.pid}-`)
  try {
    if (place.account.dropped) await lchown(beside, place.account.uid, place.account.gid)
    const outcome = await runCommand(binaries.initdb, ['-D', beside, ...INITDB_OPTIONS], place.account)
    if (!outcome.ok) {
      const why =
        outcome.output.split('\n').find((line) => /\b(error|fatal|panic):/i.test(line)) ?? outcome.why
      throw new Error(`The database in ${place.dir} could not be created: ${lastLine(why)}`)
    }
    await rename(beside, place.data).catch(async (error: NodeJS.ErrnoException) => {
      if (await versionOf(place.data)) return
      throw new Error(
        `${place.data} has files but is not a database (${error.code}): move it away or choose another data folder.`,
        { cause: error },
      )
    })
    await syncFolder(place.dir)
  } finally {
    await rm(beside, { recursive: true, force: true })
  }
}

/** The major version of PostgreSQL that created it; undefined if there is no cluster. */
export async function versionOf(data: string): Promise<string | undefined> {
  const text = await readFile(path.join(data, 'PG_VERSION'), 'utf8').catch(() => undefined)
  return text?.trim()
}

/** PostgreSQL would not start either, but would say why only in its log. */
function refuseOther(version: string, { dir }: ClusterLocation, binaries: Binaries): void {
  if (version === binaries.version) return
  throw new Error(
    `The database in ${dir} is one of PostgreSQL ${version}, and this version of Bellhop brings PostgreSQL ` +
      `${binaries.version}: start the version of Bellhop that created it, or move the database as ` +
      'docs/operating/upgrade.md says.',
  )
}

/** What a start left behind that was killed while it created the cluster. */
async function removeAbandoned({ dir }: ClusterLocation): Promise<void> {
  for (const name of await readdir(dir)) {
    const pid = /^data\.init-(\d+)-/.exec(name)?.[1]
    if (pid && !processExists(Number(pid))) await rm(path.join(dir, name), { recursive: true, force: true })
  }
}

/** Without it a power failure could undo the rename, and lose everything committed since. */
async function syncFolder(dir: string): Promise<void> {
  const folder = await open(dir)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

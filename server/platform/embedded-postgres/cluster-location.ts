import { createHash } from 'node:crypto'
import { access, chmod, lstat, mkdir, realpath } from 'node:fs/promises'
import path from 'node:path'

import { chooseOsAccount, type OsAccount } from './os-account.ts'
import { belongsToSomeoneElse, cannotBeMade, cannotBeRead, makeOwnedDirectory } from './owned-directory.ts'
import { runCommand } from './process/command.ts'

/** What the address of a UNIX socket has room for. */
const SOCKET_PATH_BYTES_MAX = process.platform === 'linux' ? 107 : 103

/** For root, whose own folders other accounts may not reach. */
export const FALLBACK = '/var/lib/bellhop'
export const POSTGRES_PORT = 5432

/** The files of one embedded PostgreSQL, and its account. */
export interface ClusterLocation {
  dir: string
  data: string
  log: string
  /** The FIFO that every holder keeps open. */
  holders: string
  socketDir: string
  socket: string
  account: OsAccount
  movedFrom?: string
}

/** Where an existing cluster is, without creating anything; undefined before the first start. */
export async function findCluster(
  wish: string,
): Promise<Pick<ClusterLocation, 'dir' | 'data' | 'socketDir' | 'socket'> | undefined> {
  const resolved = path.resolve(wish)
  // Nothing is there yet, or a part of the path may not be entered, which the next step reports.
  const wished = await realpath(resolved).catch(() => resolved)
  for (const dir of [wished, fallbackOf(wished)]) {
    await access(path.join(dir, 'data')).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EACCES') throw cannotBeRead(dir)
    })
    if (await hasCluster(dir)) return { dir, data: path.join(dir, 'data'), ...socketOf(dir) }
  }
  return undefined
}

/** The configured directory; for root, one in /var/lib if PostgreSQL's account cannot reach it. */
export async function chooseClusterLocation(wish: string): Promise<ClusterLocation> {
  const wished = await makeParents(path.resolve(wish))
  const account = await chooseOsAccount(wished)
  if (!account.dropped || (await hasCluster(wished))) return await moveIn(wished, account)

  const fallback = fallbackOf(wished)
  // A cluster that was moved once stays there, even if the configured directory is reachable now.
  if (!(await hasCluster(fallback)) && (await canEnter(path.dirname(wished), account)))
    return await moveIn(wished, account)
  if ((await mkdir(FALLBACK, { recursive: true })) !== undefined) await chmod(FALLBACK, 0o755)
  return { ...(await moveIn(fallback, await chooseOsAccount(fallback))), movedFrom: wished }
}

/** Created at every start, because cleaners of /tmp may have removed it. */
export async function makeSocketFolder({ socketDir, account }: ClusterLocation): Promise<void> {
  await makeOwnedDirectory(socketDir, account)
}

async function moveIn(dir: string, account: OsAccount): Promise<ClusterLocation> {
  await makeOwnedDirectory(dir, account)
  if (account.dropped && !(await canEnter(dir, account)))
    throw new Error(
      `${dir} cannot be reached by its owner (uid ${account.uid}): make its parent directories accessible (chmod o+x).`,
    )
  const data = path.join(dir, 'data')
  // Before the first start there is none.
  const owner = await lstat(data).catch(() => undefined)
  if (owner && owner.uid !== account.uid) throw belongsToSomeoneElse(data, owner.uid)

  const run = runOf(dir)
  await makeOwnedDirectory(run, account)
  return {
    dir,
    data,
    log: path.join(dir, 'postgres.log'),
    holders: path.join(run, 'holders'),
    ...socketOf(dir),
    account,
  }
}

const runOf = (dir: string) => path.join(dir, 'run')

const fallbackOf = (wished: string) => path.join(FALLBACK, shortHash(wished))

function socketOf(dir: string): { socketDir: string; socket: string } {
  const name = `.s.PGSQL.${POSTGRES_PORT}`
  const fits = Buffer.byteLength(path.join(runOf(dir), name)) <= SOCKET_PATH_BYTES_MAX
  // Not os.tmpdir(): two processes with different TMPDIR must find the same socket.
  const socketDir = fits ? runOf(dir) : path.join('/tmp', `bellhop-${shortHash(dir)}`)
  return { socketDir, socket: path.join(socketDir, name) }
}

/** The real path, so that everyone who uses this directory finds the same server. */
async function makeParents(dir: string): Promise<string> {
  const parent = path.dirname(dir)
  await mkdir(parent, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw cannotBeMade(parent, error)
  })
  return await realpath(dir).catch(async () => path.join(await realpath(parent), path.basename(dir)))
}

async function hasCluster(dir: string): Promise<boolean> {
  return await access(path.join(dir, 'data', 'PG_VERSION')).then(
    () => true,
    () => false,
  )
}

async function canEnter(dir: string, account: OsAccount): Promise<boolean> {
  return (await runCommand('/bin/sh', ['-c', 'cd "$1"', 'sh', dir], account)).ok
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

import { lchown, lstat, mkdir, readdir } from 'node:fs/promises'

import type { OsAccount } from './os-account.ts'

/** Creates the directory, or checks that it belongs to the account. Root gives away only an empty one. */
export async function makeOwnedDirectory(dir: string, account: OsAccount): Promise<void> {
  const entries = await makeOrList(dir)
  // After the listing: another start gives the directory away before it writes to it.
  const found = await lstat(dir)
  if (found.isDirectory() && found.uid === account.uid) return
  if (!found.isDirectory())
    throw new Error(`${dir} is not a directory: move it away or choose another data folder.`)
  if (!account.dropped || found.uid !== 0) throw belongsToSomeoneElse(dir, found.uid)
  if (entries.some((name) => name !== 'lost+found'))
    throw new Error(`${dir} has other files in it: PostgreSQL needs its own directory.`)
  // lchown: the parent may be writable by others, who could have put a link here meanwhile.
  await lchown(dir, account.uid, account.gid)
}

export function belongsToSomeoneElse(dir: string, uid: number): Error {
  return new Error(
    `${dir} belongs to someone else (uid ${uid}): run Bellhop as that user or as root, or choose another data folder.`,
  )
}

export function cannotBeRead(dir: string): Error {
  return new Error(`${dir} cannot be read: run this as the user that runs Bellhop, or as root.`)
}

export function cannotBeMade(dir: string, cause: NodeJS.ErrnoException): Error {
  return new Error(
    `The directory ${dir} cannot be created (${cause.code}): choose another data folder, ` +
      'or set DATABASE_URL to an external PostgreSQL.',
    { cause },
  )
}

async function makeOrList(dir: string): Promise<string[]> {
  try {
    await mkdir(dir, { mode: 0o700 })
    return []
  } catch (error) {
    const failure = error as NodeJS.ErrnoException
    // A directory that we may not list belongs to someone else; the check of its owner will report it.
    if (failure.code === 'EEXIST') return await readdir(dir).catch(() => [])
    throw cannotBeMade(dir, failure)
  }
}

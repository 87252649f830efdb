import { lchown, lstat, mkdir, readdir } from 'node:fs/promises'

import type { Account } from './account.ts'

/** Makes the folder, or checks that it is the account's own. Root gives away only an empty one. */
export async function makeOwnFolder(dir: string, account: Account): Promise<void> {
  const entries = await makeOrList(dir)
  // After the listing: another start gives the folder away before it puts anything in.
  const found = await lstat(dir)
  if (found.isDirectory() && found.uid === account.uid) return
  if (!found.isDirectory())
    throw new Error(`${dir} is not a folder: move it away or choose another data folder.`)
  if (!account.dropped || found.uid !== 0) throw belongsToSomeoneElse(dir, found.uid)
  if (entries.some((name) => name !== 'lost+found'))
    throw new Error(`${dir} has other files in it: give PostgreSQL a folder of its own.`)
  // lchown: the parent may be writable by others, who could have put a link here meanwhile.
  await lchown(dir, account.uid, account.gid)
}

export function belongsToSomeoneElse(dir: string, uid: number): Error {
  return new Error(
    `${dir} belongs to someone else (uid ${uid}): run Bellhop as that user or as root, or choose another data folder.`,
  )
}

export function cannotBeMade(dir: string, cause: NodeJS.ErrnoException): Error {
  return new Error(
    `The folder ${dir} cannot be made (${cause.code}): choose another data folder, ` +
      'or set DATABASE_URL to an outside PostgreSQL.',
    { cause },
  )
}

async function makeOrList(dir: string): Promise<string[]> {
  try {
    await mkdir(dir, { mode: 0o700 })
    return []
  } catch (error) {
    const failure = error as NodeJS.ErrnoException
    // A folder that we may not list is someone else's, as its owner will tell.
    if (failure.code === 'EEXIST') return await readdir(dir).catch(() => [])
    throw cannotBeMade(dir, failure)
  }
}

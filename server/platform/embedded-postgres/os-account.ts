import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'

/** The account of PostgreSQL. It refuses to run as root, so root uses another account. */
export interface OsAccount {
  uid: number
  gid: number
  dropped: boolean
}

/** The owner of the directory, else postgres, else nobody. A user other than root always keeps their account. */
export async function chooseOsAccount(dir: string): Promise<OsAccount> {
  const uid = process.getuid?.()
  const gid = process.getgid?.()
  if (uid === undefined || gid === undefined)
    throw new Error(`PostgreSQL cannot be embedded on ${process.platform}.`)
  if (uid !== 0) return { uid, gid, dropped: false }
  const owner = (await ownerOf(path.join(dir, 'data'))) ?? (await ownerOf(dir))
  const account = owner ?? (await findAccount('postgres')) ?? (await findAccount('nobody'))
  if (account) return { ...account, dropped: true }
  throw new Error(
    'PostgreSQL refuses to run as root and there is no account `postgres` or `nobody` to run it as: create one.',
  )
}

/** macOS gives nobody the uid -2: it is unsigned in a file's owner and signed in spawn. */
export function spawnAs({ uid, gid, dropped }: OsAccount): { uid?: number; gid?: number } {
  return dropped ? { uid: uid | 0, gid: gid | 0 } : {}
}

async function ownerOf(file: string): Promise<{ uid: number; gid: number } | undefined> {
  // What is not there yet has no owner.
  const found = await stat(file).catch(() => undefined)
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : undefined
}

async function findAccount(name: string): Promise<{ uid: number; gid: number } | undefined> {
  // Not every system has the file; then the account is not found.
  const accounts = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const [, , uid, gid] =
    accounts
      .split('\n')
      .map((line) => line.split(':'))
      .find(([first]) => first === name) ?? []
  return uid && gid ? { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 } : undefined
}

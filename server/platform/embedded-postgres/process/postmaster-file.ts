import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'

import { EMBEDDED_POSTGRES_LIMITS } from '../limits.ts'
import { isPostmaster, processExists } from './process.ts'

/** The contents of the postmaster's lock file. */
export interface PostmasterFile {
  pid: number
  status: 'starting' | 'stopping' | 'ready'
}

/** Undefined if it does not exist, or is still empty. */
export async function readPostmasterFile(data: string): Promise<PostmasterFile | undefined> {
  const content = await readFile(postmasterFile(data), 'utf8').catch(() => '')
  const lines = content.split('\n').map((line) => line.trim())
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  // The eighth line is written last: without it the postmaster is still starting.
  const status = lines[7]
  return { pid, status: status === 'ready' || status === 'stopping' ? status : 'starting' }
}

/**
 * PostgreSQL itself replaces the lock file of a dead process. But it refuses to start if the file is empty, or if the
 * process id belongs to a zombie or to another program; such stale files are removed here.
 */
export async function removeStaleLocks({ data, socket }: { data: string; socket: string }): Promise<void> {
  for (const file of [postmasterFile(data), `${socket}.lock`]) {
    // Nothing to remove where there is no file.
    const content = await readFile(file, 'utf8').catch(() => undefined)
    if (content !== undefined && (await isStale(file, content, data))) await removeExactly(file, content)
  }
}

function postmasterFile(data: string): string {
  return path.join(data, 'postmaster.pid')
}

async function isStale(file: string, content: string, data: string): Promise<boolean> {
  const pid = Math.abs(Number.parseInt(content, 10))
  if (pid > 0) return processExists(pid) && !(await isPostmaster(pid, data))
  // Gone since it was read: then it is not stale.
  const found = await stat(file).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > EMBEDDED_POSTGRES_LIMITS.emptyLockMs
}

/** Another start may have written its own file since we read it: then that one is restored. */
async function removeExactly(file: string, content: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`
  try {
    await rename(file, aside)
  } catch {
    return // Someone else removed it.
  }
  // It fails, rightly, when there is a still newer one.
  if ((await readFile(aside, 'utf8')) !== content) await link(aside, file).catch(() => undefined)
  await rm(aside)
}

import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'

import { LIMITS } from '../limits.ts'
import { isPostmaster, processExists } from './process.ts'

/** What the postmaster says of itself in its lock file. */
export interface PostmasterFile {
  pid: number
  status: 'starting' | 'stopping' | 'ready'
}

/** Undefined when there is none, or nothing in it yet. */
export async function readPostmasterFile(data: string): Promise<PostmasterFile | undefined> {
  const content = await readFile(postmasterFile(data), 'utf8').catch(() => '')
  const lines = content.split('\n').map((line) => line.trim())
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  // The eighth line comes last: without it the postmaster is still on its way up.
  const status = lines[7]
  return { pid, status: status === 'ready' || status === 'stopping' ? status : 'starting' }
}

/**
 * PostgreSQL itself takes over from a process that is gone. It stops, however, before an empty file and before
 * the number of a living stranger or of a zombie; those remnants are removed here.
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
  return found !== undefined && Date.now() - found.mtimeMs > LIMITS.emptyLockMs
}

/** Another start may have put its own file there since we read it: that one is put back. */
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

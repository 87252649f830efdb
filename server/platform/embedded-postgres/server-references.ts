import { closeSync, constants, openSync, readSync } from 'node:fs'
import { lstat, rm } from 'node:fs/promises'

import type { OsAccount } from './os-account.ts'
import { runCommand } from './process/command.ts'

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants

/**
 * Every process that needs PostgreSQL keeps the write end of one FIFO open; a watcher beside PostgreSQL reads it. The
 * kernel closes the end of a dead process, so the watcher sees end-of-file exactly when nobody is left.
 */
export interface ServerReference {
  /** Opens the write end. False if there is no watcher to notice when we leave. */
  join(): boolean
  /** Opens the write end, and the read end for a new watcher; the caller closes the latter. */
  openForWatcher(): number
  leave(): void
}

export function createServerReference(fifo: string): ServerReference {
  let held: number | undefined
  const leave = () => {
    if (held !== undefined) closeSync(held)
    held = undefined
  }
  const join = () => {
    const fd = openUnless('ENXIO', fifo, O_WRONLY)
    if (fd === undefined) return false
    leave()
    held = fd
    return true
  }
  const openForWatcher = () => {
    // A writer can open only if there is a reader, and a blocking reader only if there is a writer.
    const opener = openSync(fifo, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
    try {
      join()
      return openSync(fifo, O_RDONLY | O_NOFOLLOW)
    } finally {
      closeSync(opener)
    }
  }
  return { join, openForWatcher, leave }
}

/** Whether any process has it open: without a writer, a read returns end-of-file; with one, nothing yet. */
export function isReferenced(fifo: string): boolean {
  const fd = openUnless('ENOENT', fifo, O_RDONLY)
  if (fd === undefined) return false
  try {
    return readSync(fd, Buffer.alloc(1)) > 0
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return true
    throw error
  } finally {
    closeSync(fd)
  }
}

export async function makeFifo(fifo: string, account: OsAccount): Promise<void> {
  if (await isFifo(fifo)) return
  await rm(fifo, { recursive: true, force: true })
  const outcome = await runCommand('mkfifo', ['-m', '600', fifo], account)
  // Another start may have been faster.
  if (outcome.ok || (await isFifo(fifo))) return
  throw new Error(`${outcome.why}: choose a data folder on a local file system.`)
}

async function isFifo(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => undefined))?.isFIFO() === true
}

function openUnless(expected: string, fifo: string, flags: number): number | undefined {
  try {
    return openSync(fifo, flags | O_NONBLOCK | O_NOFOLLOW)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === expected) return undefined
    throw error
  }
}

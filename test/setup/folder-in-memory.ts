import { execFileSync } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  constants,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

const GB = 1024 ** 3

/** The files take little more than a gigabyte at a time; the rest is for the programs that the tests start. */
const FREE_BYTES_MIN = { folder: 4 * GB, machine: 8 * GB }

/**
 * A folder for everything that a run of the tests writes, removed when this process ends; undefined if `place`, a file
 * system in memory, cannot have it. For every file PostgreSQL copies the seven hundred files of a database, and a disk
 * takes up to ten times as much CPU time for that as memory.
 */
export function folderInMemory(place = '/dev/shm'): string | undefined {
  if (!hasRoom(place)) return undefined
  for (const name of readdirSync(place)) if (isAbandoned(name)) remove(join(place, name))
  const folder = mkdtempSync(join(place, `bellhop-tests-${process.pid}-`))
  process.once('exit', () => remove(folder))
  // If run as root, PostgreSQL drops to another account, which must be able to enter the folder.
  chmodSync(folder, 0o755)
  if (runsPrograms(folder)) return folder
  remove(folder)
  return undefined
}

function hasRoom(place: string): boolean {
  try {
    accessSync(place, constants.W_OK)
    const { bavail, bsize } = statfsSync(place)
    return bavail * bsize > FREE_BYTES_MIN.folder && process.availableMemory() > FREE_BYTES_MIN.machine
  } catch {
    return false
  }
}

/** Left by a run that was killed. */
function isAbandoned(name: string): boolean {
  const pid = /^bellhop-tests-(\d+)-/.exec(name)?.[1]
  if (pid === undefined) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/** Containers often forbid it there. */
function runsPrograms(folder: string): boolean {
  const program = join(folder, 'program')
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
  try {
    execFileSync(program)
    return true
  } catch {
    return false
  } finally {
    rmSync(program)
  }
}

/** Another user's folder stays. */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // A program that was killed may still write there; the next run removes the rest.
  }
}

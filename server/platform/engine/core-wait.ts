import { readFileSync } from 'node:fs'

const NS_IN_MS = 1e6

/** For how long the main thread of a process has been ready to run while others had the cores; 0 if that is not known. */
export function waitedForCoreMs(pid: number | undefined): number {
  try {
    const [, waitedNs] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')
    return Number(waitedNs) / NS_IN_MS
  } catch {
    // The process has ended, or the system is not Linux.
    return 0
  }
}

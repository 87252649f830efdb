import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/** Below other programs, but above the engines, which have all the time. */
const MAIN_THREAD_NICENESS = 5

/**
 * Has the system run this thread before the main one, when both want the CPU. A process with the right to do so raises
 * this thread, others lower the main one. Only Linux has priorities of threads; elsewhere they take turns.
 */
export function runBeforeMainThread(): void {
  const threadId = idOfThread()
  if (threadId === undefined) return
  // On Linux the id of a process is that of its main thread.
  if (!tryPriority(threadId, constants.priority.PRIORITY_HIGH)) tryPriority(process.pid, MAIN_THREAD_NICENESS)
}

function idOfThread(): number | undefined {
  try {
    // Of the form 1234/task/1240.
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1))
  } catch {
    return undefined
  }
}

function tryPriority(threadId: number, niceness: number): boolean {
  try {
    setPriority(threadId, niceness)
    return true
  } catch {
    // Not allowed, or somebody has lowered it further.
    return false
  }
}

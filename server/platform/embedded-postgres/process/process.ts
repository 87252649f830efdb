import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'

/** Whether a process has this id: it may be a zombie, or another program. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Whether it is the postmaster of this cluster: not a zombie, another program or another cluster's postgres. */
export async function isPostmaster(pid: number, data: string): Promise<boolean> {
  if (!processExists(pid)) return false
  if (process.platform !== 'linux') return (await commandShownByPs(pid)).includes(`/postgres -D ${data} `)
  const [program, ...args] = commandInProc(pid).split('\0')
  return program?.endsWith('/postgres') === true && args.includes(data)
}

/** No disk is read, so waiting for other threads to read it would cost more: this is checked twice a second. */
function commandInProc(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    // It has ended since.
    return ''
  }
}

/** Fast shutdown is SIGINT, immediate is SIGQUIT. Ignores processes that are gone. */
export function signalPostmaster(pid: number, signal: 'SIGINT' | 'SIGQUIT'): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function commandShownByPs(pid: number): Promise<string> {
  const shown = await promisify(execFile)('/bin/ps', ['-ww', '-o', 'command=', '-p', `${pid}`]).catch(
    () => undefined,
  )
  return shown?.stdout ?? ''
}

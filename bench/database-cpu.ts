import { readdir, readFile } from 'node:fs/promises'

import type { Sql } from '../server/platform/db/database.ts'

/** Clock ticks of the kernel, which are the same on every Linux machine. */
const TICK_MS = 10

/** CPU time of all processes of PostgreSQL so far, which must run on this machine. Undefined where there is no /proc. */
export async function databaseCpuMs(sql: Sql): Promise<number | undefined> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  const own = await readStat(String(row!.pid))
  if (!own) return undefined
  const server = await readStat(own.parent)
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const processes = await Promise.all(pids.map(readStat))
  const running = processes.filter((each) => each?.parent === own.parent)
  const ticks = running.reduce((sum, each) => sum + each!.ticks, server!.ticks + server!.ticksOfEnded)
  return ticks * TICK_MS
}

/** See proc_pid_stat(5). Undefined if the process has ended. */
async function readStat(pid: string) {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The name of the program comes before this, and may contain anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [user, system, userOfEnded, systemOfEnded] = fields.slice(11, 15).map(Number)
    return { parent: fields[1]!, ticks: user! + system!, ticksOfEnded: userOfEnded! + systemOfEnded! }
  } catch {
    return undefined
  }
}

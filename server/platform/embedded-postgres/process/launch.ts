import { spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { rename, stat } from 'node:fs/promises'

import type { Binaries } from '../binaries.ts'
import { type ClusterLocation, makeSocketFolder, POSTGRES_PORT } from '../cluster-location.ts'
import { EMBEDDED_POSTGRES_LIMITS } from '../limits.ts'
import { spawnAs } from '../os-account.ts'
import type { ServerReference } from '../server-references.ts'
import { COMMAND_ENV } from './command.ts'
import { removeStaleLocks } from './postmaster-file.ts'

/** The shell that starts PostgreSQL and runs as long as it does. */
export interface Supervisor {
  readonly running: boolean
  readonly failure?: Error
}

/*
 * The shell waits for PostgreSQL. Beside it the watcher reads the holders' FIFO (fd 3) up to its end, then requests
 * a fast shutdown repeatedly, because PostgreSQL may not handle signals yet at the first one.
 * - Signals to the whole process group (TERM of a service manager) are ignored: the holders decide.
 * - The watcher closes the FIFO before it acts, so that new holders see that this server is stopping.
 * - The watcher never outlives PostgreSQL, whose process id could then belong to another process.
 * - The log is opened here, as PostgreSQL's account: root would follow a link planted in that account's directory.
 */
const SUPERVISE = `
trap '' HUP INT TERM
exec >>"$1" 2>&1
shift
"$@" 3<&- &
postgres=$!
(
  while read -r line; do :; done <&3
  exec 3<&-
  while kill -INT $postgres; do sleep 1; done
) >/dev/null 2>&1 &
watcher=$!
exec 3<&-
wait $postgres
status=$?
kill -KILL $watcher
wait $watcher 2>/dev/null
exit $status
`

function serverSettings({ socketDir }: ClusterLocation): Record<string, string> {
  return {
    listen_addresses: '',
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    max_connections: '100',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Several lines at every checkpoint would be most of the log.
    log_checkpoints: 'off',
    // Rows of live calls die within seconds, and those that follow step over them until a vacuum.
    autovacuum_naptime: '15s',
    // Each is a process, or several, that we have no use for.
    max_logical_replication_workers: '0',
    io_method: 'sync',
  }
}

/** Starts PostgreSQL detached: Ctrl-C reaches only its holders, which then stop in order. */
export async function launch(
  place: ClusterLocation,
  binaries: Binaries,
  hold: ServerReference,
): Promise<Supervisor> {
  await makeSocketFolder(place)
  await removeStaleLocks(place)
  await putAwayLargeLog(place.log)
  const settings = Object.entries(serverSettings(place)).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const command = [binaries.postgres, '-D', place.data, '-p', `${POSTGRES_PORT}`, ...settings]
  const supervisor: { running: boolean; failure?: Error } = { running: true }
  const readEnd = hold.openForWatcher()
  try {
    const child = spawn('/bin/sh', ['-c', SUPERVISE, 'sh', place.log, ...command], {
      ...spawnAs(place.account),
      cwd: '/',
      env: COMMAND_ENV,
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', readEnd],
    })
    child.once('exit', () => (supervisor.running = false))
    child.once('error', (error) => Object.assign(supervisor, { running: false, failure: error }))
    child.unref()
  } finally {
    closeSync(readEnd)
  }
  return supervisor
}

async function putAwayLargeLog(log: string): Promise<void> {
  // A log that is not there yet, or cannot be moved, keeps nothing from starting.
  const found = await stat(log).catch(() => undefined)
  if (found && found.size > EMBEDDED_POSTGRES_LIMITS.logBytesMax)
    await rename(log, `${log}.1`).catch(() => undefined)
}

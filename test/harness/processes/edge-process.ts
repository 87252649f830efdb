import { onTestFinished } from 'vitest'

import type { DatabaseAddress } from '../../../server/platform/db/address.ts'
import { newFolder, program, type Service, startService } from './bellhop-process.ts'
import { startPostgresProxy } from './postgres-proxy.ts'

interface RoleOptions {
  /** PostgreSQL cancels statements that take longer. */
  statementMs?: number
  /** A module that runs before the program. */
  preload?: string
}

/** An edge in a separate process, `bellhop edge` or `bellhop serve`. */
export async function startEdgeProcess(
  address: DatabaseAddress,
  environment: Record<string, string>,
  { role = 'edge', ...options }: { role?: 'edge' | 'serve' } & RoleOptions = {},
): Promise<Service & { port: number }> {
  const edge = await startRoleProcess(role, address, environment, options)
  return { ...edge, port: Number(/sip:127\.0\.0\.1:(\d+)/.exec(edge.stdout())![1]) }
}

/** A role in a separate process on the database of an installation, and on its data directory unless one is given. */
export async function startRoleProcess(
  role: 'api' | 'edge' | 'serve' | 'worker',
  address: DatabaseAddress,
  environment: Record<string, string>,
  { statementMs, preload }: RoleOptions = {},
): Promise<Service> {
  if (!('host' in address)) throw new Error('the test database has a socket')
  const { host, port, user, database } = address
  const proxy = await startPostgresProxy(`${host}/.s.PGSQL.${port}`)
  const cwd = await newFolder()
  const parameters = statementMs === undefined ? '' : `?statement_timeout=${statementMs}`
  const node = [process.execPath, ...(preload === undefined ? [] : ['--import', preload])]
  return startService({
    cwd,
    command: [...node, program, role],
    env: {
      BELLHOP_DATA_DIR: `${cwd}/data`,
      DATABASE_URL: `postgres://${user}@127.0.0.1:${proxy.address.port}/${database}${parameters}`,
      ...environment,
    },
  })
}

/** Suspends a process, as a machine that is out of memory does. It resumes at the end of the test. */
export function freeze(edge: Service): () => void {
  const goOn = () => edge.signal('SIGCONT')
  onTestFinished(goOn)
  edge.signal('SIGSTOP')
  return goOn
}

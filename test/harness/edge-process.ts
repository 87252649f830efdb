import { onTestFinished } from 'vitest'

import type { DatabaseAddress } from '../../server/platform/db/address.ts'
import { newFolder, program, type Service, startService } from './bellhop-process.ts'
import { startPostgresProxy } from './postgres-proxy.ts'

/** An edge in a process of its own, `bellhop edge`, on the database of an installation; its folder unless given. */
export async function startEdgeProcess(
  address: DatabaseAddress,
  environment: Record<string, string>,
): Promise<Service & { port: number }> {
  if (!('host' in address)) throw new Error('the test database has a socket')
  const { host, port, user, database } = address
  const proxy = await startPostgresProxy(`${host}/.s.PGSQL.${port}`)
  const cwd = await newFolder()
  const edge = await startService({
    cwd,
    command: [process.execPath, program, 'edge'],
    env: {
      BELLHOP_DATA_DIR: `${cwd}/data`,
      DATABASE_URL: `postgres://${user}@127.0.0.1:${proxy.address.port}/${database}`,
      ...environment,
    },
  })
  return { ...edge, port: Number(/sip:127\.0\.0\.1:(\d+)/.exec(edge.stdout())![1]) }
}

/** Stops a process for a while, as a machine does that is out of memory; it goes on when the test is over. */
export function freeze(edge: Service): () => void {
  const goOn = () => edge.signal('SIGCONT')
  onTestFinished(goOn)
  edge.signal('SIGSTOP')
  return goOn
}

import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type DatabaseProxy, startDatabaseProxy } from './database-proxy.ts'
import { claimNetwork, HOSTS, type Network } from './network.ts'
import { type Postgres, startPostgres } from './postgres.ts'
import { type RolesParts, settingsOf, type RunningBellhop, startRoles } from './running-bellhop.ts'
import { seedCompany } from './seed-company.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'

/** Everything that the campaign runs and breaks. */
export interface ChaosEnvironment extends RunningBellhop {
  folder: string
  postgres: Postgres
  wire: DatabaseProxy
  /** Where recordings and synthesised audio are stored. */
  filesFolder: string
  /** Undefined if we may not mount. */
  spool: SmallDisk | undefined
}

interface EnvironmentParts extends Pick<RolesParts, 'logs' | 'onEndedByItself'> {
  /** Close what was opened, in reverse order. */
  closes: (() => Promise<void> | void)[]
  /** Additional settings of all processes. */
  environment(network: Network): Promise<Record<string, string>>
}

const SECRET = 'a-secret-of-all-processes-of-the-campaign'

export async function openEnvironment(parts: EnvironmentParts): Promise<ChaosEnvironment> {
  const { closes, logs } = parts
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-chaos-'))
  closes.push(() => rm(folder, { recursive: true, force: true }))
  // If run as root, PostgreSQL drops to another account, which must be able to enter the directory.
  await chmod(folder, 0o755)
  if (logs) await mkdir(logs, { recursive: true })
  const network = await claimNetwork()
  closes.push(() => network.close())
  const [wireHost, postgresHost] = [network.address(HOSTS.wire), network.address(HOSTS.postgres)]
  const postgres = await startPostgres(folder, postgresHost, network.ports.service)
  closes.push(() => postgres.close())
  const wire = await startDatabaseProxy(wireHost, postgresHost, network.ports.service)
  closes.push(() => wire.close())
  const company = await seedCompany(postgres.url(postgresHost), SECRET)
  const dataDir = join(folder, 'data')
  const spool = await mountSmallDisk(join(dataDir, 'spool'), {
    uid: process.getuid!(),
    gid: process.getgid!(),
  })
  closes.push(() => spool?.unmount())
  const roles = await startRoles({
    ...parts,
    folder,
    network,
    environment: {
      ...settingsOf(dataDir, SECRET),
      DATABASE_URL: postgres.url(wireHost),
      DATABASE_POOL_SIZE: '5',
      ...(await parts.environment(network)),
    },
  })
  return {
    folder,
    network,
    postgres,
    wire,
    company,
    ...roles,
    filesFolder: join(dataDir, 'files'),
    spool,
  }
}

import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type DatabaseProxy, startDatabaseProxy } from './database-proxy.ts'
import { claimNetwork, HOSTS, type Network } from './network.ts'
import { type Postgres, startPostgres } from './postgres.ts'
import { type Kind, type Role, startRole } from './role.ts'
import { type Company, seedCompany } from './seed-company.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'

/** Everything that the campaign runs and breaks. */
export interface ChaosEnvironment {
  folder: string
  network: Network
  postgres: Postgres
  wire: DatabaseProxy
  company: Company
  roles: Role[]
  /** Where recordings and synthesised audio are stored. */
  filesFolder: string
  /** Undefined if we may not mount. */
  spool: SmallDisk | undefined
  rolesOf(kind: Kind): Role[]
}

export interface StageParts {
  /** Close what was opened, in reverse order. */
  closes: (() => Promise<void> | void)[]
  logs: string | undefined
  /** Additional settings of all processes. */
  environment(network: Network): Promise<Record<string, string>>
  onEndedByItself(
    role: string,
    what: { isReady: boolean; code: number | null; signal: string | null; tail: string[] },
  ): void
}

const COUNTS: Record<Kind, number> = { api: 2, worker: 2, edge: 2 }
const SECRET = 'a-secret-of-all-processes-of-the-campaign'

export async function openEnvironment(parts: StageParts): Promise<ChaosEnvironment> {
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
  const environment = {
    NODE_ENV: 'production',
    BELLHOP_DATA_DIR: dataDir,
    BELLHOP_SECRET: SECRET,
    MESSAGE_KEYS: `1:${SECRET}`,
    BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1',
    DATABASE_URL: postgres.url(wireHost),
    DATABASE_POOL_SIZE: '5',
    TRANSCRIPTION_ENGINE: 'off',
    EMBEDDINGS: 'off',
    SIP_SIMULATOR: 'off',
    LOG_LEVEL: 'warn',
    ...(await parts.environment(network)),
  }
  const roles: Role[] = []
  closes.push(async () => void (await Promise.all(roles.map((role) => role.close()))))
  const start = async (kind: Kind, index: number) => {
    const name = `${kind} ${index + 1}`
    const host = network.address((kind === 'edge' ? HOSTS.edge : HOSTS.api) + index)
    const role = startRole({
      name,
      kind,
      host,
      address: `${host}:${network.ports.service}`,
      folder,
      logs,
      environment: { ...environment, ...environmentOf[kind](host, network) },
      onEndedByItself: (what) => parts.onEndedByItself(name, what),
    })
    roles.push(role)
    await role.ready
  }
  const wanted = (Object.keys(COUNTS) as Kind[]).flatMap((kind) =>
    Array.from({ length: COUNTS[kind] }, (_, index) => ({ kind, index })),
  )
  await Promise.all(wanted.map(({ kind, index }) => start(kind, index)))
  return {
    folder,
    network,
    postgres,
    wire,
    company,
    roles,
    filesFolder: join(dataDir, 'files'),
    spool,
    rolesOf: (kind) => roles.filter((role) => role.kind === kind),
  }
}

const environmentOf: Record<Kind, (host: string, network: Network) => Record<string, string>> = {
  api: (host, { ports }) => ({ HOST: host, PORT: String(ports.service) }),
  worker: (host, { ports }) => ({ HOST: host, PORT: String(ports.service) }),
  edge: (host, { ports }) => ({
    HOST: host,
    SIP_HOST: host,
    SIP_PORT: String(ports.sip),
    EDGE_HTTP_PORT: String(ports.service),
  }),
}

import type { DedicatedSql } from '../../../server/platform/db/database.ts'
import { HOSTS, type Network } from './network.ts'
import { type Kind, type Role, type RoleParts, startRole } from './role.ts'
import type { Company } from './seed-company.ts'

/** A company on several processes of Bellhop: what the load needs of its environment. */
export interface RunningBellhop {
  network: Network
  /** Connects as the superuser. */
  postgres: { connect(): DedicatedSql }
  company: Company
  roles: Role[]
  rolesOf(kind: Kind): Role[]
}

/** Settings of all processes, beside those of the database and of what is outside. */
export const settingsOf = (dataDir: string, secret: string) => ({
  NODE_ENV: 'production',
  BELLHOP_DATA_DIR: dataDir,
  BELLHOP_SECRET: secret,
  MESSAGE_KEYS: `1:${secret}`,
  BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1',
  TRANSCRIPTION_ENGINE: 'off',
  EMBEDDINGS: 'off',
  SIP_SIMULATOR: 'off',
  LOG_LEVEL: 'warn',
})

/** Of the carrier that all customers use, and of everything that is not limited here. */
export const outsideSettings = (network: Network) => ({
  SIP_TRUNKS: JSON.stringify([
    {
      name: 'carrier',
      hosts: [`${network.address(HOSTS.carrier)}:${network.ports.sip}`],
      protocol: 'udp',
      numberFormat: { style: 'e164' },
    },
  ]),
  BELLHOP_BASE_URL: `http://${network.address(HOSTS.api)}:${network.ports.service}`,
  OUTBOUND_COUNTRIES: 'DK',
  OUTBOUND_PER_MINUTE: '1000',
})

export interface RolesParts {
  /** Close what was opened, in reverse order. */
  closes: (() => Promise<void> | void)[]
  logs: string | undefined
  folder: string
  network: Network
  environment: Record<string, string>
  /** Of another version than this one: where it is built. */
  root?: string
  /** Comes before their names. */
  version?: string
  /** Their addresses follow those of so many others of each kind. */
  after?: number
  onEndedByItself(role: string, what: Parameters<RoleParts['onEndedByItself']>[0]): void
}

const COUNTS: Record<Kind, number> = { api: 2, worker: 2, edge: 2 }

/** Two processes of each role, each at an address of its own. */
export async function startRoles(parts: RolesParts): Promise<Pick<RunningBellhop, 'roles' | 'rolesOf'>> {
  const { closes, logs, folder, network, environment, root, version, after = 0 } = parts
  const roles: Role[] = []
  closes.push(async () => void (await Promise.all(roles.map((role) => role.close()))))
  const start = async (kind: Kind, index: number) => {
    const name = `${version ? `${version} ` : ''}${kind} ${index + 1}`
    const host = network.address((kind === 'edge' ? HOSTS.edge : HOSTS.api) + after + index)
    const role = startRole({
      name,
      kind,
      host,
      address: `${host}:${network.ports.service}`,
      folder,
      logs,
      ...(root && { root }),
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
  return { roles, rolesOf: (kind) => roles.filter((role) => role.kind === kind) }
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

import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { claimNetwork, HOSTS } from '../../chaos/environment/network.ts'
import { startPostgres } from '../../chaos/environment/postgres.ts'
import {
  outsideSettings,
  type RunningBellhop,
  settingsOf,
  startRoles,
} from '../../chaos/environment/running-bellhop.ts'
import { seedCompany } from '../../chaos/environment/seed-company.ts'
import { openProvider } from '../../chaos/load/provider.ts'
import { openSink } from '../../chaos/load/sink.ts'
import { startFrontProxy } from '../../harness/sip/front-proxy.ts'

const SECRET = 'a-secret-of-all-processes-behind-the-proxy'
export const DRAIN_SECONDS = 40

interface StageOptions {
  /** Numbers of the company, each with an employee. */
  lines: number
  logs: string | undefined
  closes: (() => Promise<void> | void)[]
  broken: string[]
}

export type Stage = Awaited<ReturnType<typeof openStage>>

/** Two processes of each role, with Kamailio in front of the edges. */
export async function openStage({ lines, logs, closes, broken }: StageOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-proxy-'))
  closes.push(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755)
  if (logs) await mkdir(logs, { recursive: true })
  const network = await claimNetwork()
  closes.push(() => network.close())
  const host = network.address(HOSTS.postgres)
  const postgres = await startPostgres(folder, host, network.ports.service)
  closes.push(() => postgres.close())
  const provider = await openProvider(network)
  closes.push(provider.close)
  const sink = await openSink(network)
  closes.push(sink.close)
  const address = network.address(HOSTS.front)
  // The voice of this language costs least.
  const company = await seedCompany(postgres.url(host), SECRET, { calls: lines, language: 'da' })
  const { roles, rolesOf } = await startRoles({
    closes,
    logs,
    folder,
    network,
    environment: {
      ...settingsOf(join(folder, 'data'), SECRET),
      ...outsideSettings(network),
      ...provider.environment,
      DATABASE_URL: postgres.url(host),
      DATABASE_POOL_SIZE: '5',
      EDGE_DRAIN_SECONDS: String(DRAIN_SECONDS),
      SIP_PROXIES: address,
    },
    onEndedByItself: (role, { tail }) => void broken.push(`${role} ended by itself: ${tail.at(-1)}`),
  })
  const { sip } = network.ports
  const front = await startFrontProxy({
    address,
    ports: { sip, tls: sip + 1, wss: sip + 2 },
    certificate: await certificateIn(folder),
    edges: rolesOf('edge').map((edge) => `${edge.host}:${sip}`),
    folder,
  })
  closes.push(front.close)
  const stage: RunningBellhop = { network, postgres, company, roles, rolesOf }
  return { stage, front, sink }
}

async function certificateIn(folder: string) {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  await promisify(execFile)('openssl', [...request, '-subj', '/CN=localhost', '-keyout', key, '-out', cert])
  return { cert, key }
}

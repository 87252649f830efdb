import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { claimNetwork, HOSTS } from '../../chaos/environment/network.ts'
import { startPostgres } from '../../chaos/environment/postgres.ts'
import { type Role, startRole } from '../../chaos/environment/role.ts'
import { outsideSettings, settingsOf } from '../../chaos/environment/running-bellhop.ts'
import type { Scenario } from '../run.ts'
import { tryBrowsers } from './browsers-scenario.ts'
import { tryChannels } from './channels-scenario.ts'
import { seedPeople } from './seed.ts'

const SECRET = 'a-secret-of-all-processes-of-the-cluster'
const COMPANY_SIZE = 200

/** Thousands of dashboards and browser phones on one API and one edge process, which are killed. */
export const runSockets: Scenario = async ({ options, tell, closes }) => {
  const { values } = parseArgs({
    args: options,
    options: {
      channels: { type: 'string', default: '10000' },
      browsers: { type: 'string', default: '5000' },
      logs: { type: 'string' },
    },
  })
  const [channels, phones] = [Number(values.channels), Number(values.browsers)]
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-sockets-'))
  closes.push(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755)
  const network = await claimNetwork()
  closes.push(() => network.close())
  const at = network.address(HOSTS.postgres)
  const postgres = await startPostgres(folder, at, network.ports.service)
  closes.push(() => postgres.close())
  const companies = Math.ceil(Math.max(channels, phones) / COMPANY_SIZE)
  const people = await seedPeople(postgres.url(at), SECRET, { companies, employees: COMPANY_SIZE, phones })
  tell(`${companies} companies of ${COMPANY_SIZE} employees`)

  const broken: string[] = []
  const start = async (kind: 'api' | 'edge', environment: Record<string, string>): Promise<Role> => {
    const host = network.address(HOSTS[kind])
    const role = startRole({
      name: kind,
      kind,
      host,
      address: `${host}:${network.ports.service}`,
      folder,
      logs: values.logs,
      environment: {
        ...settingsOf(join(folder, 'data'), SECRET),
        ...outsideSettings(network),
        DATABASE_URL: postgres.url(at),
        HOST: host,
        ...environment,
      },
      onEndedByItself: ({ tail }) => broken.push(`${kind} ended by itself: ${tail.at(-1)}`),
    })
    closes.push(() => role.close())
    await role.ready
    return role
  }
  const service = String(network.ports.service)
  const edgeHost = network.address(HOSTS.edge)
  // As behind a trusted proxy: all clients have the same address here.
  const api = await start('api', { PORT: service, HTTP_CONNECTIONS_PER_ADDRESS: '25000' })
  const edge = await start('edge', {
    SIP_HOST: edgeHost,
    SIP_PORT: String(network.ports.sip),
    EDGE_HTTP_PORT: service,
  })
  tell('the API and the edge are ready')

  broken.push(...(await tryChannels({ api, people: people.slice(0, channels), tell, closes })))
  if (phones > 0)
    broken.push(...(await tryBrowsers({ edge, people: people.slice(0, phones), network, tell, closes })))
  return broken
}

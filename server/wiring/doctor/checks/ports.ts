import { internalHost } from '../../../telephony/edge/listeners.ts'
import { localUrl } from '../../local-url.ts'
import { bindTcp, bindUdp, type PortState } from '../bind.ts'
import type { Check } from '../check.ts'
import { type Finding, ok, problem, warning } from '../finding.ts'
import { fetchJson, identifyResponder } from '../identify.ts'
import type { Inspection } from '../inspection.ts'

/** The configured ports are free, or used by this installation itself. */
export const ports: Check = {
  name: 'ports',
  async run(inspection) {
    const { host, port, edge, workerHttpPort } = inspection.config
    const findings = await Promise.all([
      checkHttp(inspection, host, port),
      ...inspection.config.sip.hosts.flatMap((sipHost) => [
        checkSip(inspection, sipHost),
        checkTls(inspection, sipHost),
      ]),
      checkSeparate('EDGE_HTTP_PORT', host, edge.httpPort),
      checkSeparate('WORKER_HTTP_PORT', host, workerHttpPort ?? 0),
    ])
    return findings.flat()
  },
}

async function checkHttp({ secret }: Inspection, host: string, port: number): Promise<Finding[]> {
  if (port === 0) return [ok('PORT is 0: Bellhop picks a free port for HTTP.')]
  const state = await bindTcp(host, port)
  if (state !== 'used') return describe({ state, host, port, setting: 'PORT', hostSetting: 'HOST' })
  const responder = await identifyResponder(localUrl({ address: host, port }), secret)
  if (responder.is === 'ours') return [ok(`Port ${port} of ${host} is used by this installation, for HTTP.`)]
  const user = responder.is === 'foreign' ? 'a Bellhop with another BELLHOP_SECRET' : 'another program'
  return [problem(`Port ${port} of ${host} is used by ${user}.`, 'Stop it, or set PORT to a free port.')]
}

async function checkSip(inspection: Inspection, host: string): Promise<Finding[]> {
  const { hosts, port } = inspection.config.sip
  if (port === 0) return host === hosts[0] ? [ok('SIP_PORT is 0: the edge picks a free port for SIP.')] : []
  const ipv6Only = hosts.length > 1
  const states = [await bindUdp(host, port, ipv6Only), await bindTcp(host, port, ipv6Only)]
  const state = states.find((each) => each !== 'free') ?? 'free'
  if (state === 'used') return [checkSipUser(inspection, 'SIP_PORT', { host, port })]
  return describe({ state, host, port, setting: 'SIP_PORT', hostSetting: 'SIP_HOST' })
}

async function checkTls(inspection: Inspection, host: string): Promise<Finding[]> {
  const { hosts, tls } = inspection.config.sip
  if (!tls || tls.port === 0) return []
  const state = await bindTcp(host, tls.port, hosts.length > 1)
  if (state === 'used') return [checkSipUser(inspection, 'SIP_TLS_PORT', { host, port: tls.port })]
  return describe({ state, host, port: tls.port, setting: 'SIP_TLS_PORT', hostSetting: 'SIP_HOST' })
}

/** An edge registers its SIP port in the database. */
function checkSipUser(
  { config: { sip }, edges }: Inspection,
  setting: string,
  { host, port }: { host: string; port: number },
): Finding {
  const where = `Port ${port} of ${host}`
  if (edges === undefined)
    return warning(
      `${where} is used, but by whom only the database could tell.`,
      'Correct what is wrong with the database, and run this again.',
    )
  const own = internalHost(sip.hosts[0]!)
  if (edges.some((edge) => edge.sip_port === sip.port && edge.sip_host === own))
    return ok(`${where} is used by the edge of this installation.`)
  return problem(
    `${where} is used by another program, perhaps another SIP server.`,
    `Stop it, or set ${setting} to a free port.`,
  )
}

/** Only processes of one role use these, so a port that is not free concerns only them. */
async function checkSeparate(setting: string, host: string, port: number): Promise<Finding[]> {
  if (port === 0 || (await bindTcp(host, port)) !== 'used') return []
  const health = await fetchJson(`${localUrl({ address: host, port })}/healthz`)
  if (health?.['status'] === 'ok') return [ok(`Port ${port} of ${host} is used by a Bellhop (${setting}).`)]
  return [
    warning(
      `Port ${port} of ${host} is used by another program.`,
      `Before you start a separate process that needs it, set ${setting} to a free port.`,
    ),
  ]
}

interface Described {
  state: Exclude<PortState, 'used'>
  host: string
  port: number
  setting: string
  hostSetting: string
}

function describe({ state, host, port, setting, hostSetting }: Described): Finding[] {
  switch (state) {
    case 'free':
      return [ok(`Port ${port} of ${host} is free (${setting}).`)]
    case 'reserved':
      return [problem(`Port ${port} is reserved for root.`, `Set ${setting} to a port above 1023.`)]
    case 'not ours':
      return [
        problem(
          `${host} is not an address of this machine.`,
          `Set ${hostSetting} to one, or to 0.0.0.0 for all of them.`,
        ),
      ]
  }
}

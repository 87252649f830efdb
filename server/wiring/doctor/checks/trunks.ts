import { isIP } from 'node:net'

import type { TrunkSetting } from '../../../config/trunks.ts'
import { systemClock, withTimeout } from '../../../platform/clock.ts'
import { randomToken } from '../../../platform/crypto/crypto.ts'
import { family, type RegistrationQuery, UserAgent } from '../../../sip/index.ts'
import type { Check } from '../check.ts'
import { type Finding, ok, problem, errorReason, warning } from '../finding.ts'
import type { Inspection } from '../inspection.ts'
import { DOCTOR_LIMITS } from '../limits.ts'

/** Every carrier responds, and has registered us where that is needed. */
export const trunks: Check = {
  name: 'trunks',
  async run(inspection) {
    const { sip } = inspection.config
    if (sip.trunks.length > 0) return examineTrunks(inspection, sip.trunks)
    if (sip.simulator) return [ok('There is no trunk: calls are simulated (SIP_SIMULATOR).')]
    return [NO_TRUNK]
  },
}

export const NO_TRUNK = warning(
  'There is no trunk: no call can be made to or from a phone number.',
  'Set SIP_TRUNKS to your carriers, as docs/operating/telephony.md says.',
)

export async function examineTrunks(
  { config: { sip }, edges, log }: Inspection,
  wanted: TrunkSetting[],
): Promise<Finding[]> {
  // It sends from the address of the edge, but from a port of its own: the edge may be running.
  const agent = new UserAgent({
    clock: systemClock,
    log,
    realm: 'doctor',
    secret: Buffer.from(randomToken()),
    accounts: { find: () => Promise.resolve(undefined) },
    onInvite: (call) => call.reject(486),
  })
  try {
    const ipv6Only = sip.hosts.length > 1
    await agent.listen(...sip.hosts.map((host) => ({ protocol: 'udp' as const, host, port: 0, ipv6Only })))
    const found = wanted.map((trunk) => checkTrunk(agent, trunk, edges?.length !== 0))
    return [
      ...wanted.flatMap((trunk) => checkFamilies(sip.hosts, trunk)),
      ...(await Promise.all(found)).flat(),
    ]
  } catch (error) {
    const message = `The trunks cannot be asked from ${sip.hosts.join(' and ')} (${errorReason(error)}).`
    return [problem(message, 'Set SIP_HOST to an address of this machine.')]
  } finally {
    await agent.close()
  }
}

/** Datagrams are sent from a socket of the same family, and there must be one. */
function checkFamilies(own: string[], { name, protocol, hosts }: TrunkSetting): Finding[] {
  const families = new Set(own.map(family))
  const apart = hosts.find(({ host }) => isIP(host) !== 0 && !families.has(family(host)))
  if (protocol !== 'udp' || !apart) return []
  return [
    problem(
      `Trunk ${name} has the host ${apart.host}, but SIP_HOST has no IPv${family(apart.host)} address.`,
      'Add one to SIP_HOST, such as 0.0.0.0,:: for all of both.',
    ),
  ]
}

async function checkTrunk(agent: UserAgent, trunk: TrunkSetting, isRunning: boolean): Promise<Finding[]> {
  const hosts = trunk.probed ? await checkHosts(agent, trunk) : []
  // A carrier that does not respond at all has no registration to tell of.
  if (!trunk.registration || hosts.some(({ status }) => status === 'problem')) return hosts
  return [...hosts, await checkRegistration(agent, trunk, isRunning)]
}

async function checkHosts(agent: UserAgent, trunk: TrunkSetting): Promise<Finding[]> {
  const hosts = await Promise.all(
    trunk.hosts.map(async (host) => {
      const asked = agent.probeTrunk({ ...trunk, hosts: [host] })
      const answer = await withTimeout(systemClock, DOCTOR_LIMITS.trunkMs, asked)
      return { name: host.host, isUp: answer.ok && answer.value.every(({ isUp }) => isUp) }
    }),
  )
  return [hostsFinding(trunk.name, hosts)]
}

export function hostsFinding(trunk: string, hosts: { name: string; isUp: boolean }[]): Finding {
  const silent = hosts.filter(({ isUp }) => !isUp).map(({ name }) => name)
  if (silent.length === 0) return ok(`Trunk ${trunk} responds to OPTIONS.`)
  const message = `Trunk ${trunk} does not respond to OPTIONS at ${silent.join(', ')}.`
  const action =
    'Check the host and the firewall, and whether the carrier knows the address of this machine. If it never answers OPTIONS, set "probed": false.'
  return (silent.length < hosts.length ? warning : problem)(message, action)
}

async function checkRegistration(
  agent: UserAgent,
  trunk: TrunkSetting,
  isRunning: boolean,
): Promise<Finding> {
  const asked = await withTimeout(systemClock, DOCTOR_LIMITS.trunkMs, agent.queryRegistration(trunk))
  return registrationFinding(trunk.name, asked.ok ? asked.value : { is: 'silent' }, isRunning)
}

export function registrationFinding(trunk: string, answer: RegistrationQuery, isRunning: boolean): Finding {
  switch (answer.is) {
    case 'answered':
      if (answer.contacts > 0) return ok(`Trunk ${trunk} has registered us.`)
      return (isRunning ? problem : warning)(
        `Trunk ${trunk} accepts our password, but has not registered us: it does not know where to send calls.`,
        isRunning ? 'See what the log of the edge says.' : 'Start Bellhop, which registers.',
      )
    case 'refused':
      return answer.status === 401 || answer.status === 403 || answer.status === 407
        ? problem(
            `Trunk ${trunk} refuses our user name and password (${answer.status}).`,
            'Correct the credentials in SIP_TRUNKS.',
          )
        : warning(
            `Trunk ${trunk} does not tell whether it has registered us (${answer.status}).`,
            'See what the log of the edge says.',
          )
    case 'silent':
      return problem(
        `Trunk ${trunk} does not respond to REGISTER.`,
        'Check the host and the firewall, and whether the carrier is in service.',
      )
  }
}

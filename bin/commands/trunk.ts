import type { Command } from 'commander'

import { type Config, loadConfig } from '../../server/config.ts'
import { type EdgeAnswer, TrunksAnswer } from '../../server/modules/edges/index.ts'
import { OperatorError } from '../../server/platform/errors.ts'
import { createLog } from '../../server/platform/log.ts'
import { warning } from '../../server/wiring/doctor/finding.ts'
import { askRunningEdges, print, runLongOperatorCommand } from '../operator-command.ts'
import { table } from '../table.ts'

type Answer = ReturnType<typeof TrunksAnswer.parse>
type SeenTrunk = Answer['trunks'][number]

export function addTrunkCommands(trunk: Command): void {
  trunk
    .command('list')
    .description('list the carriers of SIP_TRUNKS, with their state as the running edges see it')
    .action((_: object, command: Command) =>
      runLongOperatorCommand(command, async (db, { config, log }) => {
        const answers = await askRunningEdges(db, log, { ask: 'trunks' }, TrunksAnswer)
        const trunks = namesIn(config, answers).map((name) => ({
          name,
          configured: config.sip.trunks.some((each) => each.name === name),
          edges: answers.map((answer) => describeAt(answer, name)),
        }))
        const rows = trunks.flatMap(({ name, edges }) =>
          edges.length === 0
            ? [[name, 'no edge is running: its state is not known']]
            : edges.map(({ edge, hosts, registration }) => [name, edge, hosts, registration]),
        )
        return { json: { trunks }, text: table(rows, 'There are no trunks: set SIP_TRUNKS.') }
      }),
    )

  trunk
    .command('test')
    .description('ask a carrier for a sign of life and about our registration; exits with 1 if it fails')
    .argument('<name>', 'the name of a trunk in SIP_TRUNKS')
    .action(async (name: string, _: object, command: Command) => {
      const config = loadConfig()
      const tested = config.sip.trunks.find((each) => each.name === name)
      if (!tested) throw unknownTrunk(config, name)
      // Loaded only when it runs: it needs the user agent.
      const { openInspection } = await import('../../server/wiring/doctor/inspection.ts')
      const { examineTrunks } = await import('../../server/wiring/doctor/checks/trunks.ts')
      const { report, statusOf } = await import('../doctor/report.ts')
      const inspection = await openInspection(config, createLog({ level: 'silent' }))
      const found = await examineTrunks(inspection, [tested])
      await inspection.close()
      if (found.length === 0) found.push(nothingAsked(name))
      const findings = found.map((finding) => Object.assign(finding, { check: name }))
      print(command, report(findings))
      // A request without a response may still hold a socket open.
      process.exit(statusOf(findings) === 'problem' ? 1 : 0)
    })
}

const nothingAsked = (name: string) =>
  warning(
    `Trunk ${name} is not probed ("probed": false) and does not register, so there is nothing to ask it.`,
    'Place a call over it; `bellhop call trace` shows what the carrier responds.',
  )

/** Those of the settings, and those that only an edge has, such as the simulated carrier. */
const namesIn = ({ sip }: Config, answers: EdgeAnswer<Answer>[]) => [
  ...new Set([
    ...sip.trunks.map(({ name }) => name),
    ...answers.flatMap((answer) => (answer.ok ? answer.value.trunks.map(({ name }) => name) : [])),
  ]),
]

/** A trunk as an edge sees it. */
function describeAt(answer: EdgeAnswer<Answer>, name: string) {
  const edge = `${answer.sip_host}:${answer.sip_port}`
  const trunk = answer.ok ? answer.value.trunks.find((each) => each.name === name) : undefined
  if (!trunk) return { edge, hosts: 'not known to this edge', registration: '' }
  const stateOf = ({ isUp }: { isUp: boolean }) => (trunk.isProbed ? (isUp ? 'up' : 'down') : 'not probed')
  return {
    edge,
    hosts: trunk.hosts.map((host) => `${host.place} ${stateOf(host)}`).join(', '),
    registration: describeRegistration(trunk.registration),
  }
}

function describeRegistration(registration: SeenTrunk['registration']): string {
  switch (registration?.in) {
    case undefined:
      return 'does not register'
    case 'registering':
      return 'registering'
    case 'registered':
      return `registered until ${registration.until.toISOString()}`
    case 'failed': {
      const { status } = registration
      return status === undefined ? 'not registered: no response' : `not registered: refused with ${status}`
    }
  }
}

function unknownTrunk({ sip }: Config, name: string): OperatorError {
  const names = sip.trunks.map((each) => each.name).join(', ')
  const known = names === '' ? 'SIP_TRUNKS has none' : `the trunks are ${names}`
  return new OperatorError(`There is no trunk ${JSON.stringify(name)}; ${known}.`)
}

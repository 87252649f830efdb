import type { Config } from '../../config.ts'
import { type EdgeAnswer, runningEdges, type TrunksAnswer } from '../../modules/edges/index.ts'
import type { CheckInstallation } from '../../modules/onboarding/index.ts'
import type { Sql } from '../../platform/db/database.ts'
import { createLog } from '../../platform/log.ts'
import { SIMULATOR } from '../../simulator/identity.ts'
import type { Check } from './check.ts'
import { baseUrl } from './checks/base-url.ts'
import { email } from './checks/email.ts'
import { mediaPorts } from './checks/media-ports.ts'
import { hostsFinding, NO_TRUNK, registrationFinding } from './checks/trunks.ts'
import { NO_EDGE, websockets } from './checks/websockets.ts'
import type { Finding } from './finding.ts'
import { listProcesses, type Surroundings } from './inspection.ts'
import { runCheck } from './run-check.ts'

type TrunkAnswers = EdgeAnswer<TrunksAnswer>[]

interface FirstCallParts {
  /** With the port that this process listens on. */
  config: Config
  secret: string
  sql: Sql
  /** The trunks as each running edge knows them. */
  askTrunks(): Promise<TrunkAnswers>
}

/** The checks on which a first call depends, made by a running process. */
export const checkFirstCall =
  ({ config, secret, sql, askTrunks }: FirstCallParts): CheckInstallation =>
  async (names) => {
    const trunks: Check<Surroundings> = { name: 'trunks', run: async () => trunkFindings(await askTrunks()) }
    const surroundings: Surroundings = {
      config,
      log: createLog({ level: 'silent' }),
      secret,
      processes: await listProcesses(sql),
      edges: await runningEdges(sql),
    }
    const checks = [trunks, mediaPorts, baseUrl, websockets, email].filter(({ name }) =>
      (names as readonly string[]).includes(name),
    )
    const found = checks.map(async (check) => {
      const findings = await runCheck(check, surroundings)
      return [check.name, findings.map(withAction)] as const
    })
    return Object.fromEntries(await Promise.all(found)) as Awaited<ReturnType<CheckInstallation>>
  }

/**
 * The edges probe their carriers anyway, from the port that carriers know: so nothing is sent, and an API on a machine
 * of its own need not reach them. The simulator is no carrier.
 */
function trunkFindings(answers: TrunkAnswers): Finding[] {
  const answered = answers.flatMap((answer) => (answer.ok ? [answer.value] : []))
  if (answered.length === 0) return [NO_EDGE]
  const trunks = answered.flatMap(({ trunks }) => trunks).filter(({ name }) => name !== SIMULATOR)
  return trunks.length === 0 ? [NO_TRUNK] : trunks.flatMap(findingsOf)
}

function findingsOf({ name, hosts, isProbed, registration }: TrunksAnswer['trunks'][number]): Finding[] {
  const seen = hosts.map(({ place, isUp }) => ({ name: place, isUp }))
  const found = isProbed ? [hostsFinding(name, seen)] : []
  switch (registration?.in) {
    case undefined:
    case 'registering':
      return found
    case 'registered':
      return [...found, registrationFinding(name, { is: 'answered', contacts: 1 }, true)]
    case 'failed': {
      const { status } = registration
      const answer = status === undefined ? { is: 'silent' as const } : { is: 'refused' as const, status }
      return [...found, registrationFinding(name, answer, true)]
    }
  }
}

const withAction = ({ status, message, action }: Finding) => ({ status, message, action: action ?? null })

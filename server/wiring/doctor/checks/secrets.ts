import { findMessageKeys } from '../../message-keys.ts'
import { fingerprintOfSecret, fingerprintOfKeys } from '../../process-label.ts'
import { findInstallationSecret } from '../../secret.ts'
import type { Check } from '../check.ts'
import { type Finding, ok, problem, warning } from '../finding.ts'
import type { RunningProcess } from '../inspection.ts'

/** Every process has the same BELLHOP_SECRET and MESSAGE_KEYS, compared by fingerprints. */
export const secretsCheck: Check = {
  name: 'secrets',
  async run({ config, processes }) {
    let ours: { secret: string | undefined; keys: string | undefined }
    try {
      const [secret, keys] = [await findInstallationSecret(config), await findMessageKeys(config)]
      ours = { secret: secret && fingerprintOfSecret(secret), keys: keys && fingerprintOfKeys(keys) }
    } catch (error) {
      return [
        problem((error as Error).message, 'Restore the file, and run this as the user that runs Bellhop.'),
      ]
    }
    if (!processes) return []
    const findings = [
      ...(config.databaseUrl && !(config.secret && config.messageKeys) ? [ofThisMachine()] : []),
      ...compareSecrets(processes, ours.secret),
      ...compareKeys(processes, ours.keys),
    ]
    if (findings.length > 0 || processes.length === 0) return findings
    return [ok(`The same secrets in ${listRoles(processes)}.`)]
  },
}

const ofThisMachine = () =>
  warning(
    'BELLHOP_SECRET and MESSAGE_KEYS are not both set, so this machine uses its own.',
    'Set both, to the same values in every process, before you add a second machine.',
  )

function compareSecrets(processes: RunningProcess[], ours: string | undefined): Finding[] {
  const others = processes.filter(({ secretFingerprint }) => secretFingerprint !== ours)
  if (others.length === 0) return []
  return [
    problem(
      `BELLHOP_SECRET is not the one that this command has in ${listRoles(others)}: they cannot decrypt what other processes encrypt.`,
      'Give every process, and this command, the same BELLHOP_SECRET, and restart them.',
    ),
  ]
}

/** They may differ while a key is rotated. */
function compareKeys(processes: RunningProcess[], ours: string | undefined): Finding[] {
  const others = processes.filter(({ keysFingerprint }) => keysFingerprint && keysFingerprint !== ours)
  if (others.length === 0) return []
  return [
    warning(
      `MESSAGE_KEYS are not those that this command has in ${listRoles(others)}.`,
      'Give every process the same MESSAGE_KEYS in the same order, and restart them. During a key rotation this is expected.',
    ),
  ]
}

/** `api, worker and edge at 10.0.0.7`: as many as run. */
function listRoles(processes: RunningProcess[]): string {
  const names = processes.map(({ role, address }) => `${role}${address === null ? '' : ` at ${address}`}`)
  const counted = [...new Set(names)].map((name) => {
    const count = names.filter((each) => each === name).length
    return count === 1 ? name : `${name} (${count})`
  })
  return counted.join(', ').replace(/, ([^,]*)$/, ' and $1')
}

import { randomUUID } from 'node:crypto'

import type { Command } from 'commander'

import { type Config, loadConfig } from '../../server/config.ts'
import { localUrl } from '../../server/local-url.ts'
import { systemClock } from '../../server/platform/clock.ts'
import { OperatorError } from '../../server/platform/errors.ts'
import { installationSecret } from '../../server/secret.ts'
import { print, quietLog } from '../operate.ts'

interface SmsOptions {
  from: string
  to: string
  text: string
}

export function addSimulateCommands(program: Command): void {
  const simulate = program
    .command('simulate')
    .description('what others would do: try things without a carrier')

  simulate
    .command('sms')
    .description('text a number, as its provider would tell of it; the service must run')
    .requiredOption('--from <e164>', 'who texts', e164('--from'))
    .requiredOption('--to <e164>', 'a business number that takes texts', e164('--to'))
    .requiredOption('--text <text>', 'what they write')
    .action(async (options: SmsOptions, command: Command) => {
      const id = await deliver(loadConfig(), options)
      const { from, to } = options
      print(command, { json: { id, from, to }, text: `${to} received the text from ${from}.` })
    })
}

async function deliver(config: Config, { from, to, text }: SmsOptions): Promise<string> {
  if (config.sms.provider !== 'simulator')
    throw new OperatorError(
      `Texts come from ${config.sms.provider}: only SMS_PROVIDER=simulator can be simulated.`,
    )
  // Only here: the operator's other commands start faster without an HTTP client in memory.
  const { callBack } = await import('../../server/providers/sms/simulator/carrier.ts')
  const { createSimulatorSigner } = await import('../../server/providers/sms/simulator/signature.ts')
  const { createSmsAgent } = await import('../../server/providers/sms/ask.ts')
  const log = quietLog()
  const clock = systemClock
  const signer = createSimulatorSigner({ secret: await installationSecret(config, log), clock })
  const agent = createSmsAgent()
  const base = serviceUrl(config)
  const id = `sim_${randomUUID()}`
  const received_at = clock.now().toISOString()
  try {
    const url = `${base}/webhooks/simulator/messages`
    const outcome = await callBack({ agent, signer, clock }, url, {
      type: 'message.received',
      id,
      from,
      to,
      text,
      received_at,
    })
    if (outcome !== 200) throw new OperatorError(refusal(outcome, base, to))
    return id
  } finally {
    await agent.destroy()
  }
}

function refusal(outcome: number | 'unreachable', base: string, to: string): string {
  switch (outcome) {
    case 'unreachable':
      return `Nothing answers at ${base}: start Bellhop first, or set PORT to where it runs.`
    case 401:
      return `The service at ${base} has another secret: run this with its BELLHOP_SECRET and BELLHOP_DATA_DIR.`
    case 404:
      return `The service at ${base} has no number ${to} that takes texts: add it with --sms.`
    default:
      return `The service at ${base} refused the text (status ${outcome}).`
  }
}

/** Where the service is reached from here. */
function serviceUrl({ host, port, baseUrl }: Config): string {
  if (port !== 0) return localUrl({ address: host, port })
  if (baseUrl) return baseUrl
  throw new OperatorError('PORT is 0: set it to the port that the service printed when it started.')
}

const e164 = (option: string) => (text: string) => {
  if (!/^\+[1-9]\d{6,14}$/.test(text))
    throw new OperatorError(`${option} must be a number in E.164, such as +4570123456.`)
  return text
}

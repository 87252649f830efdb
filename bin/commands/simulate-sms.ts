import { type Config } from '../../server/config.ts'
import { systemClock } from '../../server/platform/clock.ts'
import { OperatorError } from '../../server/platform/errors.ts'
import { localUrl } from '../../server/wiring/local-url.ts'
import { installationSecret } from '../../server/wiring/secret.ts'
import { quietLog } from '../operator-command.ts'

export interface SmsOptions {
  from: string
  to: string
  text: string
}

/** Delivers a text to the service, as a provider would. */
export async function simulateSms(config: Config, { from, to, text }: SmsOptions): Promise<string> {
  if (config.sms.provider !== 'simulator')
    throw new OperatorError(
      `Texts come from ${config.sms.provider}: only SMS_PROVIDER=simulator can be simulated.`,
    )
  // Imported only here: the other commands start faster without it.
  const { postIncomingText } = await import('../../server/providers/sms/simulator/incoming-text.ts')
  const secret = await installationSecret(config, quietLog())
  const url = serviceUrl(config)
  const { id, outcome } = await postIncomingText({ url, secret, clock: systemClock }, { from, to, text })
  if (outcome !== 200) throw new OperatorError(refusal(outcome, url, to))
  return id
}

function refusal(outcome: number | 'unreachable', base: string, to: string): string {
  switch (outcome) {
    case 'unreachable':
      return `Nothing responds at ${base}: start Bellhop first, or set PORT to its port.`
    case 401:
      return `The service at ${base} has another secret: run this with its BELLHOP_SECRET and BELLHOP_DATA_DIR.`
    case 404:
      return `The service at ${base} has no number ${to} with texting: add it with --sms.`
    default:
      return `The service at ${base} refused the text (status ${outcome}).`
  }
}

/** The URL of the service on this machine. */
function serviceUrl({ host, port, baseUrl }: Config): string {
  if (port !== 0) return localUrl({ address: host, port })
  if (baseUrl) return baseUrl
  throw new OperatorError('PORT is 0: set it to the port that the service printed when it started.')
}

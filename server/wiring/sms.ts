import type { Config } from '../config.ts'
import type { Dependencies } from '../platform/dependencies.ts'
import type { SmsProvider } from '../providers/sms/port.ts'
import { simulator } from '../providers/sms/simulator/simulator.ts'
import { telnyx } from '../providers/sms/telnyx.ts'
import { twilio } from '../providers/sms/twilio.ts'

export interface Sms {
  /** The provider that we send with. */
  sender: SmsProvider
  /** Providers whose callbacks are accepted: all that are configured. */
  providers: SmsProvider[]
  close(): Promise<void>
}

interface SmsParts extends Dependencies<'clock' | 'log'> {
  config: Config
  secret: string
}

/** The simulator only if it sends: its callbacks must not reach an installation that texts real people. */
export function openSms({ config: { sms }, secret, clock, log }: SmsParts): Sms {
  const shared = { clock, answerMs: sms.answerMs }
  const providers = [
    sms.provider === 'simulator' && simulator({ ...shared, secret, log }),
    sms.telnyx && telnyx({ ...shared, ...sms.telnyx }),
    sms.twilio && twilio({ ...shared, ...sms.twilio }),
  ].filter((provider) => !!provider)
  return {
    sender: providers.find(({ name }) => name === sms.provider)!,
    providers,
    async close() {
      for (const provider of providers) await provider.close()
    },
  }
}

import { z } from 'zod'

import { SMS_PROVIDERS } from '../providers/sms/port.ts'
import { baseAddress, type Environment, variables, wholeNumber } from './variables.ts'

/** The SMS provider. */
export const texting = variables({
  SMS_PROVIDER: [z.enum(SMS_PROVIDERS).default('simulator'), `one of ${SMS_PROVIDERS.join(', ')}`],
  SMS_TIMEOUT_SECONDS: [wholeNumber(1, 60).default(15), 'a number of seconds from 1 to 60'],
  TELNYX_API_KEY: [z.string().optional(), 'an API key of Telnyx'],
  TELNYX_PUBLIC_KEY: [
    z
      .string()
      .regex(/^[A-Za-z0-9+/]{43}=$/)
      .optional(),
    'the public key of the Telnyx account, in base64',
  ],
  TELNYX_URL: [baseAddress().default('https://api.telnyx.com'), 'the address of the API of Telnyx'],
  TWILIO_ACCOUNT_SID: [
    z
      .string()
      .regex(/^AC[0-9a-f]{32}$/)
      .optional(),
    'the SID of a Twilio account, AC and 32 hexadecimal digits',
  ],
  TWILIO_AUTH_TOKEN: [z.string().optional(), 'the auth token of the Twilio account'],
  TWILIO_URL: [baseAddress().default('https://api.twilio.com'), 'the address of the API of Twilio'],
})

/** Callbacks of every configured provider are accepted, even if another one sends: it may report on earlier texts. */
export function readTexting(environment: Environment) {
  const given = texting.read(environment)
  const wanted = (name: string) => (given.SMS_PROVIDER === name ? `SMS_PROVIDER is ${name}` : undefined)
  const telnyx = texting.together(given, ['TELNYX_API_KEY', 'TELNYX_PUBLIC_KEY'], wanted('telnyx'))
  const twilio = texting.together(given, ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN'], wanted('twilio'))
  return {
    sms: {
      provider: given.SMS_PROVIDER,
      answerMs: given.SMS_TIMEOUT_SECONDS * 1000,
      telnyx: telnyx && {
        url: given.TELNYX_URL,
        apiKey: telnyx.TELNYX_API_KEY,
        publicKey: telnyx.TELNYX_PUBLIC_KEY,
      },
      twilio: twilio && {
        url: given.TWILIO_URL,
        accountSid: twilio.TWILIO_ACCOUNT_SID,
        authToken: twilio.TWILIO_AUTH_TOKEN,
      },
    },
  }
}

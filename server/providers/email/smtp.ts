import { createTransport } from 'nodemailer'

import { EMAIL_PROVIDER_LIMITS } from './limits.ts'
import type { Mailer } from './port.ts'
import { soleRecipient } from './recipient.ts'

const TIMEOUTS = {
  connectionTimeout: EMAIL_PROVIDER_LIMITS.connectMs,
  socketTimeout: EMAIL_PROVIDER_LIMITS.socketMs,
}

export function smtpMailer({ url, from }: { url: string; from: string }): Mailer {
  const transport = createTransport({ url, pool: true, ...TIMEOUTS }, { from })
  return {
    async send(email) {
      await transport.sendMail({ ...email, to: soleRecipient(email.to) })
    },
    close: () => transport.close(),
  }
}

/** Connects and authenticates without sending anything. Rejects if that fails. */
export async function verifySmtp(url: string): Promise<void> {
  const transport = createTransport({ url, ...TIMEOUTS })
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

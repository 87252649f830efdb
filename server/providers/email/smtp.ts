import { createTransport } from 'nodemailer'

import { EMAIL_PROVIDER_LIMITS } from './limits.ts'
import type { Mailer } from './port.ts'
import { soleRecipient } from './recipient.ts'

export function smtpMailer({ url, from }: { url: string; from: string }): Mailer {
  const transport = createTransport(
    {
      url,
      pool: true,
      connectionTimeout: EMAIL_PROVIDER_LIMITS.connectMs,
      socketTimeout: EMAIL_PROVIDER_LIMITS.socketMs,
    },
    { from },
  )
  return {
    async send(email) {
      await transport.sendMail({ ...email, to: soleRecipient(email.to) })
    },
    close: () => transport.close(),
  }
}

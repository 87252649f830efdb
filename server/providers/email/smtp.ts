import { createTransport } from 'nodemailer'

import type { Mailer } from './port.ts'
import { soleRecipient } from './recipient.ts'

const LIMITS = { connectMs: 10_000, socketMs: 30_000 }

export function smtpMailer({ url, from }: { url: string; from: string }): Mailer {
  const transport = createTransport(
    { url, pool: true, connectionTimeout: LIMITS.connectMs, socketTimeout: LIMITS.socketMs },
    { from },
  )
  return {
    async send(letter) {
      await transport.sendMail({ ...letter, to: soleRecipient(letter.to) })
    },
    close: () => transport.close(),
  }
}

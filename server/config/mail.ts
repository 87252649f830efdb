import { z } from 'zod'

import { address, type Environment, variables } from './variables.ts'

/** Sending e-mails. */
export const mail = variables({
  SMTP_URL: [
    address('smtp:', 'smtps:').optional(),
    'the address of a mail server, such as smtps://user:password@mail.example.com',
  ],
  MAIL_FROM: [
    z
      .string()
      .regex(/^([^<>\n]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/)
      .default('Bellhop <bellhop@localhost>'),
    'an e-mail address, such as Bellhop <bellhop@example.com>',
  ],
})

export function readMail(environment: Environment) {
  const given = mail.read(environment)
  return { smtpUrl: given.SMTP_URL, mailFrom: given.MAIL_FROM }
}

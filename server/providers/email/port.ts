import type { EmailText } from '../../platform/text/email-text.ts'

export interface Email {
  to: string
  subject: EmailText
  text: EmailText
}

export interface Mailer {
  /** Resolves when the e-mail was accepted; the caller decides on retries. */
  send(email: Email): Promise<void>
  close(): void
}

import type { LetterText } from '../../platform/text/letter-text.ts'

export interface Letter {
  to: string
  subject: LetterText
  text: LetterText
}

export interface Mailer {
  /** Resolves when the e-mail was accepted; the caller decides on retries. */
  send(letter: Letter): Promise<void>
  close(): void
}

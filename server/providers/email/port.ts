import type { LetterText } from '../../platform/text/letter-text.ts'

export interface Letter {
  to: string
  subject: LetterText
  text: LetterText
}

export interface Mailer {
  /** Resolves when the letter was taken; whoever calls decides whether to try again. */
  send(letter: Letter): Promise<void>
  close(): void
}

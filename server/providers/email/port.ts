export interface Letter {
  to: string
  subject: string
  text: string
}

export interface Mailer {
  /** Resolves when the letter was taken; whoever calls decides whether to try again. */
  send(letter: Letter): Promise<void>
  close(): void
}

export type Status = 'ok' | 'warning' | 'problem'

/** What a check says: a sentence, and what to do about it unless all is well. */
export interface Finding {
  status: Status
  message: string
  action?: string
}

export const ok = (message: string): Finding => ({ status: 'ok', message })

/** Bellhop works, but perhaps not as intended. */
export const warning = (message: string, action: string): Finding => ({ status: 'warning', message, action })

/** Something does not work. */
export const problem = (message: string, action: string): Finding => ({ status: 'problem', message, action })

/** `No problems`, `1 problem`, `2 problems`. */
export const amount = (count: number, what: string, plural = `${what}s`) =>
  `${count === 0 ? 'No' : count} ${count === 1 ? what : plural}`

/** The message of any error on one line, with the code that a system error has. */
export function errorReason(error: unknown): string {
  const { name, cause, code, message } = error as NodeJS.ErrnoException & { cause?: NodeJS.ErrnoException }
  // The code of this one is a number that nobody knows.
  if (name === 'TimeoutError') return 'timeout'
  const reason = cause?.code ?? code ?? cause?.message ?? message ?? String(error)
  return reason.split('\n', 1)[0]!.replace(/\.$/, '')
}

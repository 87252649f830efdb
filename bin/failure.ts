import { AppError, OperatorError } from '../server/platform/errors.ts'

/** Ends the program with one sentence; an unexpected error keeps its stack, to be reported. */
export function reportFailure(error: unknown): never {
  process.stderr.write(`bellhop: ${sentenceOf(error)}\n`)
  process.exit(1)
}

/** What is wrong with the command line itself. */
export function usageSentence(message: string): string {
  const what = message
    .replace(/^error: /, '')
    .trim()
    .replaceAll('\n', ' ')
    .replace(/\.$/, '')
  return `bellhop: ${what}; see --help.\n`
}

function sentenceOf(error: unknown): string {
  if (error instanceof AppError || error instanceof OperatorError) return error.message
  if (!(error instanceof Error)) return String(error)
  // A file or folder that cannot be used: the message says which, and why.
  if ('path' in error && 'syscall' in error) return `${error.message}.`
  return error.stack ?? error.message
}

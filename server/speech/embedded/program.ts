import { constants, setPriority } from 'node:os'

import { type SpeechFailure, SpeechFailed } from '../port.ts'

export type EngineReply<Answer> = { answer: Answer } | { failed: SpeechFailure; message: string }

/** The engine's side of engine.ts: answers each request, or says what went wrong. */
export function serve<Request, Answer>(answer: (request: Request) => Promise<Answer>): void {
  // Calls in progress come first.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  // Ctrl-C and the like reach every process of the group; our owner decides when we end.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => {})
  process.on('disconnect', () => process.exit())
  process.on('message', (request: Request) => {
    void reply(answer, request).then((said) => process.send?.(said))
  })
}

async function reply<Request, Answer>(
  answer: (request: Request) => Promise<Answer>,
  request: Request,
): Promise<EngineReply<Answer>> {
  try {
    return { answer: await answer(request) }
  } catch (error) {
    const failed = error instanceof SpeechFailed ? error.why : 'engine'
    return { failed, message: error instanceof Error ? error.message : String(error) }
  }
}

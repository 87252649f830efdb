import { constants, setPriority } from 'node:os'

export type EngineReply<Answer> = { answer: Answer } | { failed: string; message: string }

/** What comes from engine.ts is what that was typed to send. */
type Answering = (request: never) => Promise<unknown>

/** The engine's side of engine.ts: answers each request, or says what went wrong. */
export function serve(answer: Answering): void {
  // Calls in progress come first.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  // Ctrl-C and the like reach every process of the group; our owner decides when we end.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => {})
  process.on('disconnect', () => process.exit())
  process.on('message', (request) => {
    // What cannot be said ends this process, and its owner finds out.
    reply(answer, request as never)
      .then((said) => process.send?.(said))
      .catch(() => process.exit(1))
  })
}

async function reply(answer: Answering, request: never): Promise<EngineReply<unknown>> {
  try {
    return { answer: await answer(request) }
  } catch (error) {
    const failed = (error as { why?: string } | undefined)?.why ?? 'engine'
    return { failed, message: error instanceof Error ? error.message : String(error) }
  }
}

import { constants, setPriority } from 'node:os'

export type EngineReply<Answer> = { answer: Answer } | { failed: string; message: string }

/** engine.ts sends only requests of the right type. */
type Answering = (request: never) => Promise<unknown>

/** The engine's side of engine.ts: responds to each request with a result or an error. */
export function serve(answer: Answering): void {
  // Live calls have priority.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  // Ctrl-C reaches the whole process group, but our parent decides when we stop.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => {})
  process.on('disconnect', () => process.exit())
  process.on('message', (request) => {
    // An unhandled rejection ends this process, which the parent notices.
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

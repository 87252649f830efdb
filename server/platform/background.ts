import type { Log } from './log.ts'

/**
 * Starts work that nobody waits for: the only way to do so here. A failure is logged as "failed to …" and goes no
 * further, since a rejection that nobody handles ends the process, with every call that it holds.
 */
export function inBackground(
  log: Pick<Log, 'error'>,
  /** What is done, as it follows "failed to": `leave the queue`. */
  what: string,
  work: PromiseLike<unknown> | (() => unknown),
): void {
  start(work).catch((err: unknown) => log.error({ err }, `failed to ${what}`))
}

/** Also what throws before its first await becomes a rejection. */
async function start(work: PromiseLike<unknown> | (() => unknown)): Promise<void> {
  await (typeof work === 'function' ? work() : work)
}

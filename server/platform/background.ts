import type { Log } from './log.ts'

/**
 * Starts work that nobody waits for; the only way to do so here. A failure is logged as "failed to …". An unhandled
 * rejection would end the process, with every call that it has.
 */
export function inBackground(
  log: Pick<Log, 'error'>,
  /** What is done, to follow "failed to": `leave the queue`. */
  what: string,
  work: PromiseLike<unknown> | (() => unknown),
): void {
  start(work).catch((err: unknown) => log.error({ err }, `failed to ${what}`))
}

/** Turns an exception before the first await into a rejection. */
async function start(work: PromiseLike<unknown> | (() => unknown)): Promise<void> {
  await (typeof work === 'function' ? work() : work)
}

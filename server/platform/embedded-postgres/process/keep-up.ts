import { LIMITS } from '../limits.ts'
import type { Place } from '../place.ts'
import type { Log, Server } from '../server.ts'

/** Brings the server up and, until the returned release, brings it back whenever it is gone. */
export async function keepUp(
  server: Server,
  { dir, log: logFile }: Place,
  log: Log,
): Promise<() => Promise<void>> {
  const needed = new AbortController()
  let pid: number
  try {
    pid = await server.bringUp(needed.signal)
  } catch (error) {
    await server.letGo()
    throw error
  }
  log.info({ dir, pid }, 'PostgreSQL is ready')

  let timer: NodeJS.Timeout | undefined
  let checking: Promise<void> = Promise.resolve()
  const checkIn = (ms: number) => {
    timer = setTimeout(() => {
      checking = check(ms)
    }, ms).unref()
  }
  const check = async (sinceMs: number) => {
    let nextMs = LIMITS.checkMs
    try {
      if (!(await server.isUp(pid))) await bringBack()
    } catch (error) {
      if (needed.signal.aborted) return
      nextMs = Math.min(sinceMs * 2, LIMITS.retryMsMax)
      log.warn(
        { dir, err: error, nextMs },
        'PostgreSQL stopped and could not be started again; trying further',
      )
    }
    if (!needed.signal.aborted) checkIn(nextMs)
  }
  const bringBack = async () => {
    const before = pid
    pid = await server.bringUp(needed.signal)
    if (pid !== before) log.warn({ dir, pid, log: logFile }, 'PostgreSQL had stopped; it was started again')
  }
  checkIn(LIMITS.checkMs)

  let released: Promise<void> | undefined
  const release = async () => {
    needed.abort()
    clearTimeout(timer)
    await checking
    await server.letGo()
  }
  return () => (released ??= release())
}

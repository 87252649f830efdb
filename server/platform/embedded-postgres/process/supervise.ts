import type { ClusterLocation } from '../cluster-location.ts'
import { EMBEDDED_POSTGRES_LIMITS } from '../limits.ts'
import type { Server, ServerLog } from '../server.ts'

/** Starts the server and restarts it whenever it stops, until it is released. */
export async function superviseServer(
  server: Server,
  { dir, log: logFile }: ClusterLocation,
  log: ServerLog,
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
    let nextMs = EMBEDDED_POSTGRES_LIMITS.checkMs
    try {
      if (!(await server.isUp(pid))) await bringBack()
    } catch (error) {
      if (needed.signal.aborted) return
      nextMs = Math.min(sinceMs * 2, EMBEDDED_POSTGRES_LIMITS.retryMsMax)
      log.warn({ dir, err: error, nextMs }, 'PostgreSQL stopped and could not be restarted; retrying')
    }
    if (!needed.signal.aborted) checkIn(nextMs)
  }
  const bringBack = async () => {
    const before = pid
    pid = await server.bringUp(needed.signal)
    if (pid !== before) log.warn({ dir, pid, log: logFile }, 'PostgreSQL had stopped and was restarted')
  }
  checkIn(EMBEDDED_POSTGRES_LIMITS.checkMs)

  let released: Promise<void> | undefined
  const release = async () => {
    needed.abort()
    clearTimeout(timer)
    await checking
    await server.letGo()
  }
  return () => (released ??= release())
}

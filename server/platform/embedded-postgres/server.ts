import { readFile, rmdir } from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Binaries } from './binaries.ts'
import type { ClusterLocation } from './cluster-location.ts'
import { EMBEDDED_POSTGRES_LIMITS } from './limits.ts'
import { lastLine } from './process/command.ts'
import { launch, type Supervisor } from './process/launch.ts'
import { pollUntil } from './process/poll.ts'
import { readPostmasterFile } from './process/postmaster-file.ts'
import { isPostmaster, signalPostmaster } from './process/process.ts'
import { createServerReference, isReferenced } from './server-references.ts'

export interface ServerLog {
  info(details: object, message: string): void
  warn(details: object, message: string): void
}

type Running = { is: 'starting' | 'stopping' | 'ready'; pid: number }
type Seen = { is: 'down' } | Running

/** One holder's view of the shared server. */
export interface Server {
  /** Joins the running server, or starts it. Resolves to the postmaster's process id once it accepts connections. */
  bringUp(wanted: AbortSignal): Promise<number>
  isUp(pid: number): Promise<boolean>
  /** Releases it. The last holder waits until PostgreSQL has stopped. */
  letGo(): Promise<void>
}

export function createServer(place: ClusterLocation, binaries: Binaries, log: ServerLog): Server {
  const hold = createServerReference(place.holders)
  let supervisor: Supervisor | undefined

  /** A ready server that we hold, or undefined once none is running or starting. */
  async function findReady(wanted: AbortSignal): Promise<number | undefined> {
    let ready: number | undefined
    const settled = await pollUntil(async () => {
      wanted.throwIfAborted()
      const seen = await check(place)
      if (seen.is === 'down') return !supervisor?.running
      if (!hold.join()) await replaceOrphan(seen)
      else if (seen.is === 'ready') ready = seen.pid
      return ready !== undefined
    }, EMBEDDED_POSTGRES_LIMITS.startMs)
    if (settled) return ready
    throw new Error(`PostgreSQL in ${place.dir} neither starts nor stops: see ${place.log}`)
  }

  /** False if it stopped meanwhile. */
  async function answers(pid: number): Promise<boolean> {
    let answered = false
    const settled = await pollUntil(async () => {
      answered = await accepts(place.socket)
      return answered || !(await isPostmaster(pid, place.data))
    }, EMBEDDED_POSTGRES_LIMITS.answerMs)
    if (settled) return answered
    throw new Error(
      `PostgreSQL in ${place.dir} runs but does not respond at ${place.socket}: ` +
        `stop the process that started it, and see ${place.log}`,
    )
  }

  /** Nobody would ever stop a server without a watcher, so it is replaced. */
  async function replaceOrphan(seen: Running): Promise<void> {
    const gone = async () => {
      const now = await check(place)
      return now.is === 'down' || now.pid !== seen.pid
    }
    const leaving = async () => (await check(place)).is === 'stopping' || (await gone())
    if (!(await pollUntil(leaving, EMBEDDED_POSTGRES_LIMITS.shutdownDelayMs)))
      log.warn({ dir: place.dir, pid: seen.pid }, 'PostgreSQL was left behind; restarting it')
    const ended = await end(seen, place.data, gone)
    if (!ended)
      throw new Error(
        `PostgreSQL in ${place.dir} was left behind (pid ${seen.pid}) and does not stop: stop it.`,
      )
  }

  async function bringUp(wanted: AbortSignal): Promise<number> {
    for (let launches = 0; ; launches++) {
      const pid = await findReady(wanted)
      if (pid !== undefined && (await answers(pid))) return pid
      if (launches === EMBEDDED_POSTGRES_LIMITS.launchesMax) throw await doesNotStart(place, supervisor)
      // The backends of a killed postmaster may take a while to exit.
      if (launches > 0)
        await sleep(EMBEDDED_POSTGRES_LIMITS.relaunchMs * 2 ** (launches - 1), undefined, { signal: wanted })
      supervisor = await launch(place, binaries, hold)
    }
  }

  async function letGo(): Promise<void> {
    hold.leave()
    const seen = await check(place)
    if (isReferenced(place.holders)) return
    const ended = await end(seen, place.data, async () => {
      if (isReferenced(place.holders)) return true
      return (await check(place)).is === 'down' && !supervisor?.running
    })
    if (!ended) log.warn({ dir: place.dir, log: place.log }, 'PostgreSQL does not stop')
    // Nobody else cleans up /tmp; this fails, rightly, if another process has started PostgreSQL.
    if (path.dirname(place.socketDir) !== place.dir) await rmdir(place.socketDir).catch(() => undefined)
  }

  return { bringUp, letGo, isUp: (pid) => isPostmaster(pid, place.data) }
}

async function check({ data, socket }: ClusterLocation): Promise<Seen> {
  const found = await readPostmasterFile(data)
  if (!found) return { is: 'down' }
  // The process of a container that shares this directory cannot be seen from here, but its socket can.
  const isThere = (await isPostmaster(found.pid, data)) || (await accepts(socket))
  return isThere ? { is: found.status, pid: found.pid } : { is: 'down' }
}

/** Requests a fast shutdown, and after a while an immediate one. True once it has stopped. */
async function end(seen: Seen, data: string, over: () => Promise<boolean>): Promise<boolean> {
  const ask = async (signal: 'SIGINT' | 'SIGQUIT') => {
    if (seen.is !== 'down' && (await isPostmaster(seen.pid, data))) signalPostmaster(seen.pid, signal)
  }
  await ask('SIGINT')
  if (await pollUntil(over, EMBEDDED_POSTGRES_LIMITS.stopMs)) return true
  await ask('SIGQUIT')
  return await pollUntil(over, EMBEDDED_POSTGRES_LIMITS.quitMs)
}

/** Whether somebody listens at this Unix socket. */
export function accepts(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = net.connect(socket)
    connection.once('connect', () => resolve(true)).once('error', () => resolve(false))
    connection.once('connect', () => connection.destroy())
  })
}

async function doesNotStart({ log }: ClusterLocation, supervisor: Supervisor | undefined): Promise<Error> {
  // Without a log there is no better reason to tell.
  const written = await readFile(log, 'utf8').catch(() => '')
  const fatal = written
    .split('\n')
    .findLast((line) => /\b(FATAL|PANIC):/.test(line))
    ?.replace(/^.*?(?=FATAL|PANIC)/, '')
  const why = supervisor?.failure?.message ?? fatal ?? lastLine(written)
  return new Error(`PostgreSQL does not start${why ? ` (${why})` : ''}: see ${log}`)
}

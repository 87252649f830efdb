import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, type WriteStream, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { packageRoot } from '../../../server/platform/package-root.ts'
import { createMemoryLog, type MemoryLog } from './memory-log.ts'

export type Kind = 'api' | 'worker' | 'edge'

/** One `bellhop api`, `worker` or `edge`, restarted whenever it exits, as a service manager does. */
export interface Role {
  name: string
  kind: Kind
  /** Its address. */
  host: string
  /** The same with its HTTP port. */
  address: string
  /** Resolves when its first process is ready; rejects if that exits before. */
  ready: Promise<void>
  isUp(): boolean
  /** Whether something was done to it, or it exited, after this time (of `performance.now()`). */
  wasHurtSince(ms: number): boolean
  kill(): void
  /** Stops it as a service manager does, and does not start it again. Resolves with its exit status. */
  leave(): Promise<number | null>
  /** Suspends it, until the returned function resumes it. */
  freeze(): () => void
  /** Sets its clock ahead or back. */
  shiftClock(ms: number): Promise<void>
  /** The memory samples of its processes, if they ran long enough. */
  memory: MemoryLog
  sampleMemory(): Promise<void>
  starts(): number
  /** Of its process. */
  pid(): number | undefined
  close(): Promise<void>
}

export interface RoleParts {
  name: string
  kind: Kind
  host: string
  address: string
  folder: string
  environment: Record<string, string>
  /** The folder of the version that it runs, if that is not this one. */
  root?: string
  logs: string | undefined
  /** Called for every exit that nobody here caused, with the last lines of its log. */
  onEndedByItself(what: {
    isReady: boolean
    code: number | null
    signal: string | null
    tail: string[]
  }): void
}

const LIMITS = { againMs: 1_000, tailLines: 40, pageBytes: 4_096 }
const READY = / is ready at | does background work/

export function startRole(parts: RoleParts): Role {
  const { name, kind, host, address, folder, environment, logs, root = packageRoot, onEndedByItself } = parts
  const program = join(root, 'dist', 'bin', 'bellhop.js')
  const shim = join(packageRoot, 'test', 'chaos', 'environment', 'shifted-clock.mjs')
  const clockFile = join(folder, `clock-${name.replaceAll(' ', '-')}`)
  writeFileSync(clockFile, '0')
  const log = logs ? createWriteStream(join(logs, `${name.replaceAll(' ', '-')}.log`)) : undefined
  const memory = createMemoryLog()
  let child: ChildProcess | undefined
  let [isReady, isExpected, isFrozen, isClosed] = [false, false, false, false]
  let isLeaving = false
  let [starts, hurtAt] = [0, performance.now()]
  let again: NodeJS.Timeout | undefined
  let becameReady: (() => void) | undefined
  let hasFailed: ((error: Error) => void) | undefined

  function launch(): void {
    isReady = isExpected = isFrozen = false
    starts++
    const tail: string[] = []
    const one = spawn(process.execPath, ['--import', shim, program, kind], {
      cwd: folder,
      env: { PATH: process.env.PATH, CHAOS_CLOCK: clockFile, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    child = one
    let said = ''
    one.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (isReady) return
      said += text
      if (!READY.test(said)) return
      isReady = true
      memory.begin()
      becameReady?.()
    })
    one.stderr.setEncoding('utf8').on('data', (text: string) => keep(text, tail, log))
    one.once('close', (code, signal) => {
      hurtAt = performance.now()
      memory.end()
      if (isClosed || isLeaving) return
      if (hasFailed) return hasFailed(new Error(`${name} ended before it was ready: ${tail.join('\n')}`))
      if (!isExpected) onEndedByItself({ isReady, code, signal, tail })
      isReady = false
      again = setTimeout(launch, LIMITS.againMs)
    })
  }

  const signal = (wanted: NodeJS.Signals) => {
    hurtAt = performance.now()
    signalGroup(child, wanted)
  }
  const ready = new Promise<void>((resolve, reject) => {
    becameReady = resolve
    hasFailed = reject
  }).finally(() => (hasFailed = undefined))
  launch()
  return {
    name,
    kind,
    host,
    address,
    ready,
    isUp: () => isReady,
    wasHurtSince: (ms) => hurtAt >= ms || isFrozen || !isReady,
    kill() {
      isExpected = true
      signal('SIGKILL')
    },
    async leave() {
      isLeaving = true
      const ended = new Promise<number | null>((resolve) => child?.once('close', resolve))
      signal('SIGTERM')
      return ended
    },
    freeze() {
      const frozen = child
      isFrozen = true
      signal('SIGSTOP')
      return () => {
        isFrozen = false
        hurtAt = performance.now()
        signalGroup(frozen, 'SIGCONT')
      }
    },
    shiftClock: (ms) => writeFile(clockFile, String(ms)),
    memory,
    async sampleMemory() {
      if (!isReady) return
      const pages = await readFile(`/proc/${child?.pid}/statm`, 'utf8').catch(() => '')
      if (pages) memory.note(Number(pages.split(' ')[1]) * LIMITS.pageBytes)
    },
    starts: () => starts,
    pid: () => child?.pid,
    async close() {
      isClosed = true
      clearTimeout(again)
      const ended = new Promise((resolve) => child?.once('close', resolve))
      const isOver = child?.exitCode !== null || child?.signalCode !== null
      signalGroup(child, 'SIGKILL')
      if (!isOver) await ended
      log?.end()
    },
  }
}

function keep(text: string, tail: string[], log: WriteStream | undefined): void {
  log?.write(text)
  tail.push(...text.split('\n').filter(Boolean))
  tail.splice(0, tail.length - LIMITS.tailLines)
}

/** Its engines too, which run in separate processes. */
function signalGroup(child: ChildProcess | undefined, signal: NodeJS.Signals): void {
  if (child?.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

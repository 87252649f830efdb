import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'

import type { Dependencies } from '../dependencies.ts'
import { packageRoot } from '../package-root.ts'
import { waitedForCoreMs } from './core-wait.ts'
import type { EngineReply } from './program.ts'

export interface Engine<Request, Answer> {
  /** Rejects only with errors made by `failure`. */
  ask(request: Request): Promise<Answer>
  /** Starts it, so that the next request does not wait for that. It counts as work: it stays as long as after a request. */
  prepare(): void
  close(): Promise<void>
}

/** What can go wrong with any engine. A program adds its own reasons by errors with a `why`. */
type EngineTrouble = 'busy' | 'timeout' | 'engine'

interface EngineLimits {
  /** Queued requests, without the current one. */
  waitingMax: number
  waitMsMax: number
  /** The start of a cold engine on a busy machine. */
  startMsMax: number
  /** After this long without work it stops and frees its memory. */
  idleMs: number
}

interface EngineOptions<Request, Why extends string> extends Dependencies<'clock' | 'log'> {
  name: string
  /** The folder of its program.ts, below server. */
  program: string
  limits: EngineLimits
  /** How long a response may take, apart from the engine's start. */
  answerMsMax: (request: Request) => number
  failure: (why: Why | EngineTrouble, message: string) => Error
  /** Replaced in tests. */
  waitedMs?: (pid: number | undefined) => number
}

/** An engine that waits for a core for less than this share of its time is slow itself. */
const STARVED_SHARE = 0.25
/** An engine that gets no core gets so many times its time, and no more. */
const STARVED_TIMES_MAX = 5

interface Job<Request, Answer> {
  request: Request
  resolve: (answer: Answer) => void
  reject: (error: Error) => void
  /** Cancels the timeout of waiting, then that of the response. */
  callOffLimit: () => void
}

/**
 * Engines are processes, not worker threads: terminating a thread while onnxruntime computes aborts the whole
 * process, and half of its memory is never freed. They run from dist even if the rest runs from source, as in tests:
 * `npm test` builds first.
 */
const programFile = (program: string) => join(packageRoot, 'dist/server', program, 'program.js')

/** One engine: started by the first request, one request at a time, replaced when it dies. */
export function createEngine<Request extends object, Answer, Why extends string>(
  options: EngineOptions<Request, Why>,
): Engine<Request, Answer> {
  const { name, program, limits, answerMsMax, failure, clock, waitedMs = waitedForCoreMs } = options
  const log = options.log.child({ engine: name })
  const waiting: Job<Request, Answer>[] = []
  const leaving = new Set<Promise<void>>()
  let child: ChildProcess | undefined
  let answering: Job<Request, Answer> | undefined
  let callOffIdle: (() => void) | undefined
  let closed = false

  function start(): ChildProcess {
    // Our environment has secrets, which the engine does not need.
    const started = fork(programFile(program), {
      serialization: 'advanced',
      execArgv: [],
      env: {},
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    let said = ''
    started.stderr?.on('data', (more: Buffer) => {
      said = more.toString().slice(0, 2_000)
      log.debug({ said }, 'output of the engine')
    })
    started.on('message', (reply: EngineReply<Answer>) => {
      if (started === child) finish(reply)
    })
    const gone = new Promise<void>((resolve) => {
      started.once('error', (error) => {
        log.error({ error: error.message }, 'the engine failed')
        // Without a process id it never started, and there will be no exit event.
        if (started.pid === undefined) resolve()
      })
      started.once('exit', (code, signal) => {
        if (started === child) log.error({ code, signal, said }, 'the engine died')
        resolve()
      })
    })
    const left = gone.then(() => {
      leaving.delete(left)
      if (started !== child) return
      child = undefined
      finish({ failed: 'engine', message: `The engine ${name} died.` })
    })
    leaving.add(left)
    return started
  }

  function stop() {
    callOffIdle?.()
    child?.kill('SIGKILL')
    child = undefined
  }

  function settle(outcome: { answer: Answer } | { error: Error }) {
    const job = answering
    if (!job) return
    answering = undefined
    job.callOffLimit()
    if ('answer' in outcome) job.resolve(outcome.answer)
    else job.reject(outcome.error)
    next()
  }

  function finish(reply: EngineReply<Answer>) {
    if ('answer' in reply) return settle(reply)
    if (reply.failed === 'engine') log.error({ error: reply.message }, 'the engine failed')
    settle({ error: failure(reply.failed as Why, reply.message) })
  }

  function rest() {
    callOffIdle?.()
    if (child) callOffIdle = clock.after(limits.idleMs, stop)
  }

  /**
   * Engines give way to calls, so on a busy machine they wait for a core. That time is added to the limit: to start again
   * from the beginning would keep the machine even busier.
   */
  function limitAnswer(job: Job<Request, Answer>, pid: number | undefined): void {
    const timeLimitMs = limits.startMsMax + answerMsMax(job.request)
    const waitedBeforeMs = waitedMs(pid)
    let grantedMs = timeLimitMs
    const end = () => {
      const starvedMs = waitedMs(pid) - waitedBeforeMs
      const moreMs = Math.min(timeLimitMs + starvedMs, timeLimitMs * STARVED_TIMES_MAX) - grantedMs
      if (moreMs >= timeLimitMs * STARVED_SHARE) {
        grantedMs += moreMs
        job.callOffLimit = clock.after(moreMs, end)
        return
      }
      stop()
      settle({ error: failure('timeout', `The engine ${name} took more than ${Math.round(grantedMs)} ms.`) })
    }
    job.callOffLimit = clock.after(timeLimitMs, end)
  }

  function next() {
    if (answering || closed) return
    callOffIdle?.()
    const job = waiting.shift()
    if (!job) return rest()
    job.callOffLimit()
    answering = job
    try {
      child ??= start()
      limitAnswer(job, child.pid)
      // If it cannot be sent, the engine has died, and the exit event follows.
      child.send(job.request, () => {})
    } catch (error) {
      finish({ failed: 'engine', message: `The engine ${name} cannot start: ${String(error)}` })
    }
  }

  const busy = () => failure('busy', `The engine ${name} is busy.`)

  return {
    ask(request) {
      return new Promise((resolve, reject) => {
        if (closed) return reject(failure('engine', `The engine ${name} is closed.`))
        if (answering && waiting.length >= limits.waitingMax) return reject(busy())
        const job: Job<Request, Answer> = { request, resolve, reject, callOffLimit: () => {} }
        job.callOffLimit = clock.after(limits.waitMsMax, () => {
          waiting.splice(waiting.indexOf(job), 1)
          reject(busy())
        })
        waiting.push(job)
        next()
      })
    },
    prepare() {
      if (answering || closed) return
      try {
        child ??= start()
      } catch (error) {
        log.error({ error: String(error) }, 'the engine failed')
      }
      rest()
    },
    async close() {
      closed = true
      stop()
      const error = failure('engine', `The engine ${name} is closing.`)
      settle({ error })
      for (const job of waiting.splice(0)) {
        job.callOffLimit()
        job.reject(error)
      }
      await Promise.all(leaving)
    },
  }
}

import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'

import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { packageRoot } from '../../platform/package-root.ts'
import { SPEECH_LIMITS, SpeechFailed } from '../port.ts'
import type { EngineReply } from './program.ts'

export interface Engine<Request, Answer> {
  /** Fails with SpeechFailed alone. */
  ask(request: Request): Promise<Answer>
  close(): Promise<void>
}

interface EngineOptions<Request> {
  name: string
  /** Under dist, beside this file: `piper` is piper/program.js. */
  program: string
  /** How long the answer may take, beside the start of the engine. */
  answerMsMax: (request: Request) => number
  clock: Clock
  log: Log
}

interface Job<Request, Answer> {
  request: Request
  resolve: (answer: Answer) => void
  reject: (error: SpeechFailed) => void
  /** Calls off the limit on waiting, then the limit on the answer. */
  callOffLimit: () => void
}

/**
 * Engines run as processes of their own, not as worker threads: a thread that is stopped while onnxruntime computes
 * aborts the whole process, and half of its memory never comes back.
 * They run from dist also where the rest runs from its sources, as in tests: `npm test` builds first.
 */
const programFile = (program: string) =>
  join(packageRoot, 'dist/server/speech/embedded', program, 'program.js')

/** One engine: started by the first request, one request at a time, replaced when it dies. */
export function createEngine<Request extends object, Answer>(
  options: EngineOptions<Request>,
): Engine<Request, Answer> {
  const { name, program, answerMsMax, clock } = options
  const log = options.log.child({ engine: name })
  const waiting: Job<Request, Answer>[] = []
  const leaving = new Set<Promise<void>>()
  let child: ChildProcess | undefined
  let answering: Job<Request, Answer> | undefined
  let callOffIdle: (() => void) | undefined
  let closed = false

  function start(): ChildProcess {
    // It needs nothing of our environment, which holds secrets.
    const started = fork(programFile(program), {
      serialization: 'advanced',
      execArgv: [],
      env: {},
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    started.stderr?.on('data', (said: Buffer) =>
      log.warn({ said: said.toString().slice(0, 2_000) }, 'speech'),
    )
    started.on('message', (reply: EngineReply<Answer>) => {
      if (started === child) finish(reply)
    })
    const gone = new Promise<void>((resolve) => {
      started.once('error', (error) => {
        log.error({ error: error.message }, 'speech engine failed')
        // Without a process id it never started, so no exit follows.
        if (started.pid === undefined) resolve()
      })
      started.once('exit', (code, signal) => {
        if (started === child) log.error({ code, signal }, 'speech engine died')
        resolve()
      })
    })
    const left = gone.then(() => {
      leaving.delete(left)
      if (started !== child) return
      child = undefined
      finish({ failed: 'engine', message: `The speech engine ${name} died.` })
    })
    leaving.add(left)
    return started
  }

  function stop() {
    callOffIdle?.()
    child?.kill('SIGKILL')
    child = undefined
  }

  function settle(outcome: { answer: Answer } | { error: SpeechFailed }) {
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
    if (reply.failed === 'engine') log.error({ error: reply.message }, 'speech failed')
    settle({ error: new SpeechFailed(reply.failed, reply.message) })
  }

  function next() {
    if (answering || closed) return
    callOffIdle?.()
    const job = waiting.shift()
    if (!job) {
      if (child) callOffIdle = clock.after(SPEECH_LIMITS.idleMs, stop)
      return
    }
    job.callOffLimit()
    answering = job
    const timeLimitMs = SPEECH_LIMITS.startMsMax + answerMsMax(job.request)
    job.callOffLimit = clock.after(timeLimitMs, () => {
      stop()
      settle({
        error: new SpeechFailed('timeout', `The speech engine ${name} took more than ${timeLimitMs} ms.`),
      })
    })
    try {
      child ??= start()
      // A request that cannot be sent needs no answer here: the engine has died, and its exit follows.
      child.send(job.request, () => {})
    } catch (error) {
      finish({ failed: 'engine', message: `The speech engine ${name} cannot start: ${String(error)}` })
    }
  }

  const busy = () => new SpeechFailed('busy', `The speech engine ${name} has too much to do.`)

  return {
    ask(request) {
      return new Promise((resolve, reject) => {
        if (closed) return reject(new SpeechFailed('engine', 'The speech engines are closed.'))
        if (answering && waiting.length >= SPEECH_LIMITS.waitingMax) return reject(busy())
        const job: Job<Request, Answer> = { request, resolve, reject, callOffLimit: () => {} }
        job.callOffLimit = clock.after(SPEECH_LIMITS.waitMsMax, () => {
          waiting.splice(waiting.indexOf(job), 1)
          reject(busy())
        })
        waiting.push(job)
        next()
      })
    },
    async close() {
      closed = true
      stop()
      const error = new SpeechFailed('engine', 'The speech engines are closing.')
      settle({ error })
      for (const job of waiting.splice(0)) {
        job.callOffLimit()
        job.reject(error)
      }
      await Promise.all(leaving)
    },
  }
}

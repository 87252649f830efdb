import { type ChildProcess, fork } from 'node:child_process'

import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { SPEECH_LIMITS, SpeechFailed } from '../port.ts'
import type { EngineReply, EngineRequest } from './program.ts'

export interface Engine {
  speak(request: EngineRequest): Promise<Buffer>
  close(): Promise<void>
}

interface Job {
  request: EngineRequest
  resolve: (wav: Buffer) => void
  reject: (error: SpeechFailed) => void
  /** Calls off the limit on waiting, then the limit on speaking. */
  callOffLimit: () => void
}

/** One engine in a process of its own: started by the first request, one text at a time, replaced when it dies. */
export function createEngine(options: { name: string; program: string; clock: Clock; log: Log }): Engine {
  const { name, program, clock } = options
  const log = options.log.child({ engine: name })
  const waiting: Job[] = []
  const leaving = new Set<Promise<void>>()
  let child: ChildProcess | undefined
  let speaking: Job | undefined
  let callOffIdle: (() => void) | undefined
  let closed = false

  function start(): ChildProcess {
    // It needs nothing of our environment, which holds secrets.
    const started = fork(program, {
      serialization: 'advanced',
      execArgv: [],
      env: {},
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    started.stderr?.on('data', (said: Buffer) =>
      log.warn({ said: said.toString().slice(0, 2_000) }, 'speech'),
    )
    started.on('message', (reply: EngineReply) => {
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

  function settle(outcome: { wav: Buffer } | { error: SpeechFailed }) {
    const job = speaking
    if (!job) return
    speaking = undefined
    job.callOffLimit()
    if ('wav' in outcome) job.resolve(outcome.wav)
    else job.reject(outcome.error)
    next()
  }

  function finish(reply: EngineReply) {
    if ('wav' in reply) {
      const { buffer, byteOffset, byteLength } = reply.wav
      settle({ wav: Buffer.from(buffer, byteOffset, byteLength) })
    } else {
      if (reply.failed === 'engine') log.error({ error: reply.message }, 'speech failed')
      settle({ error: new SpeechFailed(reply.failed, reply.message) })
    }
  }

  function next() {
    if (speaking || closed) return
    callOffIdle?.()
    const job = waiting.shift()
    if (!job) {
      if (child) callOffIdle = clock.after(SPEECH_LIMITS.idleMs, stop)
      return
    }
    job.callOffLimit()
    speaking = job
    const timeLimitMs = SPEECH_LIMITS.startMsMax + job.request.text.length * SPEECH_LIMITS.perCharMsMax
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
    speak(request) {
      return new Promise((resolve, reject) => {
        if (closed) return reject(new SpeechFailed('engine', 'The speech engines are closed.'))
        if (speaking && waiting.length >= SPEECH_LIMITS.waitingMax) return reject(busy())
        const job: Job = { request, resolve, reject, callOffLimit: () => {} }
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

import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'

import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { packageRoot } from '../../platform/package-root.ts'
import { checkTexts, type Embedder, EMBEDDING_LIMITS, EmbeddingFailed, ofLengthOne } from '../port.ts'
import type { EngineReply, EngineRequest } from './program.ts'

/** It runs from dist also where the rest runs from its sources, as in tests: `npm test` builds first. */
const PROGRAM = join(packageRoot, 'dist/server/embeddings/embedded/program.js')

interface Job {
  request: EngineRequest
  resolve: (vectors: Float32Array[]) => void
  reject: (error: EmbeddingFailed) => void
  /** Calls off the limit on waiting, then the limit on the work. */
  callOffLimit: () => void
}

/** The Universal Sentence Encoder, lite, in English: a process that the first text starts, replaced when it dies. */
export function createEmbeddedEmbedder(parts: { clock: Clock; log: Log }): Embedder {
  const { clock } = parts
  const log = parts.log.child({ engine: 'embeddings' })
  const waiting: Job[] = []
  const leaving = new Set<Promise<void>>()
  let child: ChildProcess | undefined
  let working: Job | undefined
  let callOffIdle: (() => void) | undefined
  let closed = false

  function start(): ChildProcess {
    // It needs nothing of our environment, which holds secrets.
    const started = fork(PROGRAM, {
      serialization: 'advanced',
      execArgv: [],
      env: {},
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    started.stderr?.on('data', (said: Buffer) =>
      log.debug({ said: said.toString().slice(0, 2_000) }, 'embeddings'),
    )
    started.on('message', (reply: EngineReply) => {
      if (started === child) finish(reply)
    })
    const gone = new Promise<void>((resolve) => {
      started.once('error', (error) => {
        log.error({ error: error.message }, 'embedding engine failed')
        // Without a process id it never started, so no exit follows.
        if (started.pid === undefined) resolve()
      })
      started.once('exit', (code, signal) => {
        if (started === child) log.error({ code, signal }, 'embedding engine died')
        resolve()
      })
    })
    const left = gone.then(() => {
      leaving.delete(left)
      if (started !== child) return
      child = undefined
      finish({ failed: 'The embedding engine died.' })
    })
    leaving.add(left)
    return started
  }

  function stop() {
    callOffIdle?.()
    child?.kill('SIGKILL')
    child = undefined
  }

  function settle(outcome: { vectors: Float32Array[] } | { error: EmbeddingFailed }) {
    const job = working
    if (!job) return
    working = undefined
    job.callOffLimit()
    if ('vectors' in outcome) job.resolve(outcome.vectors)
    else job.reject(outcome.error)
    next()
  }

  function finish(reply: EngineReply) {
    if ('vectors' in reply) settle({ vectors: reply.vectors.map(ofLengthOne) })
    else settle({ error: new EmbeddingFailed('engine', reply.failed) })
  }

  function next() {
    if (working || closed) return
    callOffIdle?.()
    const job = waiting.shift()
    if (!job) {
      if (child) callOffIdle = clock.after(EMBEDDING_LIMITS.idleMs, stop)
      return
    }
    job.callOffLimit()
    working = job
    const { startMsMax, perTextMsMax } = EMBEDDING_LIMITS
    job.callOffLimit = clock.after(startMsMax + job.request.texts.length * perTextMsMax, () => {
      stop()
      settle({ error: new EmbeddingFailed('timeout', 'The embedding engine took too long.') })
    })
    try {
      child ??= start()
      // A request that cannot be sent needs no answer here: the engine has died, and its exit follows.
      child.send(job.request, () => {})
    } catch (error) {
      finish({ failed: `The embedding engine cannot start: ${String(error)}` })
    }
  }

  return {
    model: 'universal-sentence-encoder-lite-en',
    understands: (language) => language === 'en',
    async embed(texts) {
      checkTexts(texts)
      if (closed) throw new EmbeddingFailed('engine', 'The embedding engine is closed.')
      if (working && waiting.length >= EMBEDDING_LIMITS.waitingMax) throw busy()
      return await new Promise((resolve, reject) => {
        const job: Job = { request: { texts }, resolve, reject, callOffLimit: () => {} }
        job.callOffLimit = clock.after(EMBEDDING_LIMITS.waitMsMax, () => {
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
      const error = new EmbeddingFailed('engine', 'The embedding engine is closing.')
      settle({ error })
      for (const job of waiting.splice(0)) {
        job.callOffLimit()
        job.reject(error)
      }
      await Promise.all(leaving)
    },
  }
}

const busy = () => new EmbeddingFailed('busy', 'The embedding engine has too much to do.')

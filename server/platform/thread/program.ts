import { parentPort, workerData } from 'node:worker_threads'

import { inBackground } from '../background.ts'
import { systemClock } from '../clock.ts'
import { inStretches, throttleEventLoop, watchEventLoop } from '../event-loop.ts'
import { PLATFORM_LIMITS, THREAD_REST } from '../limits.ts'
import { createLog, type Log } from '../log.ts'
import { collectAtRest } from './collect-at-rest.ts'

/** What a thread is started with: its own options, which are plain values, and the level of the log. */
export interface ThreadData {
  options: object
  logLevel: string
}

export interface ThreadCall {
  id: number
  method: string
  args: unknown[]
}

export type ThreadMessage =
  /** The names of the methods. */
  | { is: 'ready'; methods: string[] }
  | { is: 'answer'; id: number; value: unknown }
  /** `why` is that of our own errors, whose class does not survive the way between threads. */
  | { is: 'error'; id: number; error: unknown; why: string | undefined }
  | { is: 'event'; event: unknown }
  | { is: 'log'; line: string }
  | { is: 'delays'; delaysMs: number[] }
  | { is: 'unhandled'; error: unknown }

type Method = (...args: never[]) => Promise<unknown>

interface ThreadParts {
  log: Log
  emit(event: object): void
  /** Has the next turns of the thread's event loop begin a millisecond apart. */
  throttleEventLoop(turns: number): void
}

/** thread.ts passes only options of the right type. */
type Open = (options: never, parts: ThreadParts) => Promise<Record<string, Method>>

/** The thread's side of thread.ts: calls the methods of one object. */
export async function serveThread(open: Open): Promise<void> {
  const port = parentPort!
  const post = (message: ThreadMessage) => port.postMessage(message)
  const { options, logLevel } = workerData as ThreadData
  // Otherwise the thread would end, with everything in it. The process decides how to go on.
  process.on('uncaughtException', (error) => post({ is: 'unhandled', error }))
  const log = createLog({ level: logLevel, destination: { write: (line) => post({ is: 'log', line }) } })
  watchEventLoop(log, reportDelays(post))
  collectAtRest(THREAD_REST)
  const served = await open(options as never, {
    log,
    emit: (event) => post({ is: 'event', event }),
    throttleEventLoop: throttleEventLoop(PLATFORM_LIMITS.threadThrottleMs),
  })

  async function answer({ id, method, args }: ThreadCall): Promise<void> {
    try {
      post({ is: 'answer', id, value: await served[method]!(...(args as never[])) })
    } catch (error) {
      post({ is: 'error', id, error, why: (error as { why?: string } | undefined)?.why })
    }
  }
  // Calls come in bursts, and what the thread does beside them must not wait for all of them.
  const begin = inStretches(PLATFORM_LIMITS.threadStretchMs, (call: ThreadCall) =>
    inBackground(log, 'answer a call', answer(call)),
  )
  port.on('message', (call: ThreadCall) => inBackground(log, 'begin a call', begin(call)))
  post({ is: 'ready', methods: Object.keys(served) })
}

/** Together, once a second: one by one they would wake an idle process all the time. */
function reportDelays(post: (message: ThreadMessage) => void): (delayMs: number) => void {
  let delaysMs: number[] = []
  return (delayMs) => {
    if (delaysMs.length === 0)
      systemClock.after(PLATFORM_LIMITS.threadReportMs, () => {
        post({ is: 'delays', delaysMs })
        delaysMs = []
      })
    delaysMs.push(delayMs)
  }
}

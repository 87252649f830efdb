import { join } from 'node:path'
import { MessagePort, Worker } from 'node:worker_threads'

import { threadDelay } from '../event-loop.ts'
import type { Log } from '../log.ts'
import { packageRoot } from '../package-root.ts'
import type { ThreadMessage, ThreadData, ThreadCall } from './program.ts'

/** The methods of an object that can be called from another thread. */
type AsyncMethods<T> = {
  [Name in keyof T as T[Name] extends (...args: never[]) => Promise<unknown> ? Name : never]: T[Name]
}

interface WorkerThread<Served, Event> {
  calls: AsyncMethods<Served>
  /** Returns a function that removes the listener. */
  listen(listener: (event: Event) => void): () => void
  close(): Promise<void>
}

interface ThreadOptions {
  name: string
  /** The folder of its program.ts, below server. It runs from dist even if the rest runs from source, as in tests. */
  program: string
  /** Plain values. */
  options: object
  log: Log
  /** Makes an error again that had a `why` in the thread. */
  failure: (why: string, message: string) => Error
}

/** Everything in the thread is lost. */
export class ThreadDied extends Error {
  override readonly name = 'ThreadDied'
}

interface Asked {
  resolve: (value: never) => void
  reject: (error: unknown) => void
}

/**
 * An object in a thread of its own. Calls begin in their order, and answers and events arrive in the order in which
 * they happened there. An error that nobody handled in the thread is thrown here, as if it had happened here.
 */
export async function startThread<Served, Event>({
  name,
  program,
  options,
  log,
  failure,
}: ThreadOptions): Promise<WorkerThread<Served, Event>> {
  const workerData: ThreadData = { options, logLevel: log.level }
  // Our environment has secrets, which it does not need.
  const file = join(packageRoot, 'dist/server', program, 'program.js')
  const worker = new Worker(file, { name, workerData, env: {} })
  const asked = new Map<number, Asked>()
  const listeners = new Set<(event: Event) => void>()
  let ids = 0
  let closed = false

  function ask(method: string, args: unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (closed) return reject(isClosed())
      const id = ++ids
      // A port can be in one thread only.
      const ports = args.flat().filter((each) => each instanceof MessagePort)
      worker.postMessage({ id, method, args } satisfies ThreadCall, ports)
      asked.set(id, { resolve, reject })
    })
  }

  const isClosed = () => new Error(`The ${name} thread is closed.`)

  function settle(id: number): Asked {
    const found = asked.get(id)!
    asked.delete(id)
    return found
  }

  function tell(event: Event): void {
    for (const listener of listeners) {
      try {
        listener(event)
      } catch (err) {
        log.error({ err, event }, `a listener of the ${name} thread failed`)
      }
    }
  }

  function receive(message: Exclude<ThreadMessage, { is: 'ready' }>): void {
    switch (message.is) {
      case 'answer':
        return settle(message.id).resolve(message.value as never)
      case 'error': {
        const { id, error, why } = message
        return settle(id).reject(why === undefined ? error : failure(why, (error as Error).message))
      }
      case 'event':
        return tell(message.event as Event)
      case 'log':
        return writeLine(log, message.line)
      case 'delays':
        for (const delayMs of message.delaysMs) threadDelay.observe({ thread: name }, delayMs / 1_000)
        return
      case 'unhandled':
        throw message.error
    }
  }

  const methods = await new Promise<string[]>((resolve, reject) => {
    let isReady = false
    worker.on('message', (message: ThreadMessage) => {
      if (message.is !== 'ready') return receive(message)
      isReady = true
      resolve(message.methods)
    })
    const gone = (why: string, cause?: unknown) => {
      const died = new ThreadDied(`The ${name} thread died: ${why}`, { cause })
      if (!isReady) return reject(died)
      if (closed) return
      closed = true
      throw died
    }
    worker.on('error', (error) => gone(error.message, error))
    worker.on('exit', (code) => gone(`it exited with ${code}`))
  })

  return {
    calls: Object.fromEntries(
      methods.map((method) => [method, (...args: unknown[]) => ask(method, args)]),
    ) as AsyncMethods<Served>,
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      closed = true
      await worker.terminate()
      for (const id of asked.keys()) settle(id).reject(isClosed())
    },
  }
}

/** As if it had been logged here. */
function writeLine(log: Log, line: string): void {
  const { level, time: _, msg, ...fields } = JSON.parse(line) as Record<string, unknown>
  log[level as 'info'](fields, msg as string)
}

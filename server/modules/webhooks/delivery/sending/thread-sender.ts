import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

import { packageRoot } from '../../../../platform/package-root.ts'
import type { EndedAttempt, WebhookSender } from './sender.ts'
import type { FromThread, ThreadOptions, ToThread } from './thread-program.ts'

const PROGRAM = join(packageRoot, 'dist/server/modules/webhooks/delivery/sending/thread-program.js')

/**
 * Sends from a separate thread, so that signing and sending do not wait for the database, nor the other way round. The
 * thread starts when the first endpoint is opened: it takes 0.3 s of CPU time, and many installations never send one.
 */
export function createThreadSender(
  options: ThreadOptions,
  onEnded: (ended: EndedAttempt) => void,
): WebhookSender {
  let thread: Worker | undefined
  let posting: ToThread[] = []

  function startThread(): Worker {
    // Our environment has secrets, which it does not need. An error in it ends the process, as it would here.
    const started = new Worker(PROGRAM, { workerData: options, env: {} })
    return started.on('message', ({ subscriptionIds, ids, outcomes, starts, ends }: FromThread) => {
      for (const [i, id] of ids.entries())
        onEnded({
          subscriptionId: subscriptionIds[i]!,
          id,
          outcome: outcomes[i]!,
          start: starts[i]!,
          end: ends[i]!,
        })
    })
  }

  /** Messages of one tick are sent together, so that a body that they share is copied once. */
  function post(message: ToThread): void {
    if (posting.length === 0) queueMicrotask(flush)
    posting.push(message)
  }

  function flush(): void {
    thread?.postMessage(posting)
    posting = []
  }

  return {
    open(subscriptionId, endpoint, until) {
      thread ??= startThread()
      post({ do: 'open', subscriptionId, endpoint, until })
    },
    send: (subscriptionId, parcels) => post({ do: 'send', subscriptionId, parcels }),
    close: (subscriptionId) => post({ do: 'close', subscriptionId }),
    callOffAll: () => post({ do: 'callOffAll' }),
    async stop() {
      await thread?.terminate()
    },
  }
}

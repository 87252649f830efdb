/** The program of the thread that thread-sender.ts starts. */
import { parentPort, workerData } from 'node:worker_threads'

import { systemClock } from '../../../../platform/clock.ts'
import { WEBHOOK_LIMITS } from '../../limits.ts'
import type { DeliveryRequest, WebhookEndpoint } from './delivery-request.ts'
import { createInlineSender } from './inline-sender.ts'
import type { AttemptOutcome } from './post.ts'
import type { EndedAttempt, WebhookSender } from './sender.ts'

export interface ThreadOptions {
  allowInsecure: boolean
}

export type ToThread =
  | { do: 'open'; subscriptionId: string; endpoint: WebhookEndpoint; until: number }
  | { do: 'send'; subscriptionId: string; parcels: DeliveryRequest[] }
  | { do: 'close'; subscriptionId: string }
  | { do: 'callOffAll' }

/** Outcomes in columns: objects would repeat their field names, which takes longer than the values. */
export interface FromThread {
  subscriptionIds: string[]
  ids: string[]
  outcomes: AttemptOutcome[]
  starts: number[]
  ends: number[]
}

export default function runThread(): void {
  const { allowInsecure } = workerData as ThreadOptions
  const sender = createInlineSender({ allowInsecure, clock: systemClock }, report)
  let ended = none()

  function report({ subscriptionId, id, outcome, start, end }: EndedAttempt): void {
    if (ended.ids.length === 0) systemClock.after(WEBHOOK_LIMITS.reportMs, flush)
    ended.subscriptionIds.push(subscriptionId)
    ended.ids.push(id)
    ended.outcomes.push(outcome)
    ended.starts.push(start)
    ended.ends.push(end)
  }

  function flush(): void {
    parentPort!.postMessage(ended)
    ended = none()
  }

  parentPort!.on('message', (messages: ToThread[]) => {
    for (const message of messages) follow(sender, message)
  })
}

function none(): FromThread {
  return { subscriptionIds: [], ids: [], outcomes: [], starts: [], ends: [] }
}

function follow(sender: WebhookSender, message: ToThread): void {
  switch (message.do) {
    case 'open':
      return sender.open(message.subscriptionId, message.endpoint, message.until)
    case 'send':
      return sender.send(message.subscriptionId, message.parcels)
    case 'close':
      return sender.close(message.subscriptionId)
    case 'callOffAll':
      return sender.callOffAll()
  }
}

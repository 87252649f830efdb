import type { Dispatcher } from 'undici'

import type { Clock } from '../../../../platform/clock.ts'
import { signatures } from '../../../../platform/crypto/standard-webhooks.ts'
import { encodeId } from '../../../../platform/ids.ts'
import { WEBHOOK_LIMITS } from '../../limits.ts'
import type { DeliveryRequest, WebhookEndpoint } from './delivery-request.ts'
import { createEndpointQueue, type EndpointQueue } from './endpoint-queue.ts'
import { createInFlightAttempts } from './in-flight.ts'
import { type AttemptInFlight, type AttemptOutcome, hasResponse, startAttemptRequest } from './post.ts'

/** As long as an attempt may take, and time to write down how that went. */
const ATTEMPT_AND_WRITING_MS = WEBHOOK_LIMITS.attemptMs + WEBHOOK_LIMITS.writingMs

/** Idle endpoints whose concurrency is remembered. */
const REMEMBERED = 1_000

/** The outcome of a delivery. If it is `called_off`, it may not have been sent. */
export interface EndedAttempt {
  subscriptionId: string
  id: string
  outcome: AttemptOutcome
  /** In ms since 1970. */
  start: number
  end: number
}

/** Sends deliveries, and reports the outcome of each once. Does not use the database. */
export interface WebhookSender {
  /** Sets the endpoint of the subscription; deliveries are sent as long as an attempt can end in time. */
  open(subscriptionId: string, endpoint: WebhookEndpoint, until: number): void
  send(subscriptionId: string, parcels: DeliveryRequest[]): void
  /** Cancels unsent deliveries at once. */
  close(subscriptionId: string): void
  /** Also cancels attempts in progress. */
  callOffAll(): void
  stop(): Promise<void>
}

interface SenderParts {
  agent: Dispatcher
  clock: Clock
  allowInsecure: boolean
}

export function createWebhookSender(
  parts: SenderParts,
  onEnded: (ended: EndedAttempt) => void,
): WebhookSender {
  const queues = new Map<string, EndpointQueue>()
  const underWay = createInFlightAttempts(parts.clock)
  const now = () => parts.clock.now().getTime()

  function advance(queue: EndpointQueue): void {
    while (queue.isWaiting()) {
      const start = now()
      if (queue.until - start < ATTEMPT_AND_WRITING_MS) return callOff(queue.subscriptionId, queue.clear())
      const parcel = queue.next()
      if (!parcel) return
      begin(queue, parcel, start)
    }
  }

  function begin(queue: EndpointQueue, parcel: DeliveryRequest, start: number): void {
    const { subscriptionId, endpoint } = queue
    const { id } = parcel
    const attempt = deliver(parts, endpoint, parcel, start, (outcome) => {
      underWay.remove(attempt)
      queue.leave(hasResponse(outcome))
      onEnded({ subscriptionId, id, outcome, start, end: now() })
      advance(queue)
    })
    underWay.add(attempt, start)
  }

  function callOff(subscriptionId: string, parcels: DeliveryRequest[]): void {
    const at = now()
    for (const { id } of parcels)
      onEnded({ subscriptionId, id, outcome: { ok: false, why: 'called_off' }, start: at, end: at })
  }

  function forgetIdle(): void {
    for (const [id, queue] of queues) {
      if (queues.size <= REMEMBERED) return
      if (queue.isIdle() && queue.until <= now()) queues.delete(id)
    }
  }

  return {
    open(subscriptionId, endpoint, until) {
      const queue = queues.get(subscriptionId)
      if (queue) Object.assign(queue, { endpoint, until })
      else {
        forgetIdle()
        queues.set(subscriptionId, createEndpointQueue(subscriptionId, endpoint, until))
      }
    },
    send(subscriptionId, parcels) {
      const queue = queues.get(subscriptionId)
      // Its lease expired long ago.
      if (!queue) return callOff(subscriptionId, parcels)
      queue.enter(parcels)
      advance(queue)
    },
    close(subscriptionId) {
      const queue = queues.get(subscriptionId)
      if (!queue) return
      queue.until = 0
      callOff(subscriptionId, queue.clear())
    },
    callOffAll() {
      for (const [id, queue] of queues) callOff(id, queue.clear())
      underWay.callOffAll()
    },
    async stop() {
      await parts.agent.destroy()
    },
  }
}

/** Makes one delivery attempt. */
function deliver(
  { agent, allowInsecure }: SenderParts,
  { origin, path, keys }: WebhookEndpoint,
  parcel: DeliveryRequest,
  start: number,
  onEnd: (outcome: AttemptOutcome) => void,
): AttemptInFlight {
  const { body, traceparent } = parcel
  if (!allowInsecure && !origin.startsWith('https:')) return notTried('insecure', onEnd)
  if (!body) return notTried('unreadable', onEnd)
  const id = encodeId('del', parcel.id)
  const timestamp = Math.floor(start / 1000)
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'Bellhop-Webhooks/1.0',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures(keys, { id, timestamp, body }),
  }
  if (traceparent !== undefined) headers.traceparent = traceparent
  return startAttemptRequest(agent, { origin, path, headers, body }, onEnd)
}

function notTried(why: 'insecure' | 'unreadable', onEnd: (outcome: AttemptOutcome) => void): AttemptInFlight {
  queueMicrotask(() => onEnd({ ok: false, why }))
  return { isDraining: false, abandon() {} }
}

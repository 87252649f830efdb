import { randomUUID } from 'node:crypto'

import type { Presence } from '../../../platform/async/presence.ts'
import { inBackground } from '../../../platform/background.ts'
import type { Vault } from '../../../platform/crypto/crypto.ts'
import type { PubSub } from '../../../platform/db/pubsub.ts'
import type { Dependencies } from '../../../platform/dependencies.ts'
import type { FileLinks } from '../../files/index.ts'
import { WEBHOOK_LIMITS } from '../limits.ts'
import { DELIVERIES_WAITING_CHANNEL, SUBSCRIPTION_CHANGED_CHANNEL } from '../outbox.ts'
import { createDispatcher } from './dispatcher.ts'
import { createPayloadBuilder } from './payload-builder.ts'
import { createPacing } from './prefetch/pacing.ts'
import { deleteEventsBefore } from './queries.ts'
import { createThreadSender } from './sending/thread-sender.ts'

export interface WebhookDeliveryParts extends Dependencies<'db' | 'clock' | 'log' | 'vault' | 'tracer'> {
  /** Decrypts the data of events about texts. */
  texts: Vault
  links: FileLinks
  /** For development and tests: allows http, and addresses of this machine and its network. */
  allowInsecure: boolean
  /** Between 0 and 1. */
  chance: () => number
  /** Sends from a separate thread, which uses the system clock. */
  ownThread: boolean
  presence: Presence
}

/** The part of a worker that makes deliveries. */
export async function createWebhookDelivery(parts: WebhookDeliveryParts) {
  const { db, clock, log, vault, texts, links, allowInsecure, chance, ownThread, presence, tracer } = parts
  // Its HTTP client takes a fifth of the time of a command to load, and no command sends anything.
  const inline = ownThread ? undefined : await import('./sending/inline-sender.ts')
  const dispatcher = createDispatcher({
    db,
    clock,
    log,
    payloads: createPayloadBuilder({ vault, texts, links }),
    startSender: (onEnded) =>
      inline
        ? inline.createInlineSender({ allowInsecure, clock }, onEnded)
        : createThreadSender({ allowInsecure }, onEnded),
    pacing: createPacing(clock, presence),
    chance,
    tracer,
    holder: randomUUID(),
  })
  let callOffForgetting: (() => void) | undefined

  async function forgetOldEvents(): Promise<void> {
    const before = new Date(clock.now().getTime() - WEBHOOK_LIMITS.keptMs)
    while (
      (await deleteEventsBefore(db.sql, before, WEBHOOK_LIMITS.deletedAtOnce)) ===
      WEBHOOK_LIMITS.deletedAtOnce
    );
  }

  async function keepForgetting(): Promise<void> {
    await forgetOldEvents().catch((error: unknown) =>
      log.warn({ err: error }, 'old webhook events could not be deleted; retrying in an hour'),
    )
    callOffForgetting = clock.after(WEBHOOK_LIMITS.deleteEveryMs, startForgetting)
  }

  const startForgetting = () => inBackground(log, 'delete old webhook events', keepForgetting)

  return {
    async start(pubsub: PubSub): Promise<void> {
      // Notifications lost with a connection are made up for by polling.
      await pubsub.subscribe(DELIVERIES_WAITING_CHANNEL, {
        onMessage: dispatcher.wake,
        onGap: dispatcher.wake,
      })
      await pubsub.subscribe(SUBSCRIPTION_CHANGED_CHANNEL, {
        onMessage: dispatcher.drop,
        onGap: dispatcher.dropAll,
      })
      dispatcher.start()
      startForgetting()
    },
    /** Makes the deliveries that are due now, and returns when they are done. */
    runDue: (): Promise<void> => dispatcher.runDue(),
    /** The log covers a month. */
    forgetOldEvents,
    async stop(): Promise<void> {
      callOffForgetting?.()
      await dispatcher.stop()
    },
  }
}

export type WebhookDelivery = Awaited<ReturnType<typeof createWebhookDelivery>>

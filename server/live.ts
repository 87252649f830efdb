import { z } from 'zod'

import type { Tx } from './platform/db/database.ts'
import { type PubSub, publish } from './platform/db/pubsub.ts'
import { Id } from './platform/ids.ts'

/**
 * Everything that the live channel tells a company's clients: what changed, so that they read it again. Never what
 * it changed to: whoever listens reads that through the API, with the rights they have there.
 */
const LiveMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('sms_update'), id: Id('msg'), phone_number: z.string() }),
  z.object({ type: z.literal('unseen_update') }),
  z.object({ type: z.literal('call_update'), id: Id('cal') }),
  z.object({ type: z.literal('presence_update'), employee_id: Id('emp') }),
])
export type LiveMessage = z.output<typeof LiveMessage>

const CHANNEL = 'live'
const UUID_CHARACTERS = 36

/** Told when the transaction commits, by every process to the clients it has; the same twice is told once. */
export async function publishToCompany(tx: Tx, companyId: string, message: LiveMessage): Promise<void> {
  await publish(tx, CHANNEL, `${companyId} ${JSON.stringify(z.encode(LiveMessage, message))}`)
}

export interface LiveListener {
  /** `json` is the message as it goes over the wire. */
  onMessage(companyId: string, json: string): void
  /** Messages may have been missed. */
  onGap(): void
}

export function listenLive(pubsub: PubSub, { onMessage, onGap }: LiveListener): Promise<void> {
  return pubsub.subscribe(CHANNEL, {
    onMessage: (text) => onMessage(text.slice(0, UUID_CHARACTERS), text.slice(UUID_CHARACTERS + 1)),
    onGap,
  })
}

import { z } from 'zod'

import type { Fragment, Queryable, Tx } from './platform/db/database.ts'
import { notifyFollowers, publishToFollowers, type StoredId } from './platform/db/followers.ts'
import type { PubSub } from './platform/db/pubsub.ts'
import { Id } from './platform/ids.ts'

/**
 * Every message of the live channel. It says what changed, so that clients read it again, but never the new values:
 * clients read those through the API, which checks what they may see.
 */
const LiveMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('sms_update'), id: Id('msg'), phone_number: z.string() }),
  z.object({ type: z.literal('unseen_update') }),
  z.object({ type: z.literal('call_update'), id: Id('cal') }),
  z.object({ type: z.literal('presence_update'), employee_id: Id('emp') }),
  z.object({ type: z.literal('thread_update'), phone_number: z.string() }),
  z.object({ type: z.literal('writing_update'), phone_number: z.string() }),
  z.object({ type: z.literal('favourites_update'), employee_id: Id('emp') }),
])
export type LiveMessage = z.output<typeof LiveMessage>

const CHANNEL = 'live'
const UUID_CHARACTERS = 36

/**
 * Every process sends the messages to its clients when the transaction commits. A duplicate is sent once, and nothing if
 * nobody follows the company.
 */
export async function publishToCompany(tx: Tx, companyId: string, ...messages: LiveMessage[]): Promise<void> {
  const texts = messages.map((message) => `${companyId} ${JSON.stringify(z.encode(LiveMessage, message))}`)
  await publishToFollowers(tx, topicOf(companyId), CHANNEL, texts)
}

/** The same as a part of the statement that changes something: a column of no meaning. */
export const publishingCall = (sql: Queryable, companyId: string, callId: Fragment) =>
  publishing(sql, companyId, '{"type":"call_update","id":"', { prefix: 'cal', uuid: callId })

export const publishingPresence = (sql: Queryable, companyId: string, employeeId: Fragment) =>
  publishing(sql, companyId, '{"type":"presence_update","employee_id":"', { prefix: 'emp', uuid: employeeId })

export const publishingUnseen = (sql: Queryable, companyId: string) =>
  publishing(sql, companyId, '{"type":"unseen_update"}')

const publishing = (sql: Queryable, companyId: string, json: string, id?: StoredId) =>
  notifyFollowers(sql, topicOf(companyId), CHANNEL, [`${companyId} ${json}`, id, id ? '"}' : ''])

/** Messages about the company reach this process from now on, until the returned function is called. */
export const followCompany = (pubsub: PubSub, companyId: string): Promise<() => void> =>
  pubsub.follow(topicOf(companyId))

const topicOf = (companyId: string) => `live ${companyId}`

export interface LiveListener {
  /** `json` is the message in its wire format. */
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

import { createConsumer } from '@rails/actioncable'
import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** The messages of the live channel: docs/live-channel.md. */
export type LiveMessage =
  | { type: 'sms_update'; id: string; phone_number: string }
  | { type: 'unseen_update' }
  | { type: 'call_update'; id: string }
  | { type: 'presence_update'; employee_id: string }

type Listener = (message: LiveMessage) => void

const listeners = new Set<Listener>()

/** For code that handles a change itself, beside the queries that are refetched. */
export function onLiveMessage(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

let isLost = false
const channelListeners = new Set<() => void>()

/** Whether the channel was connected, and is no longer. */
export const isLiveChannelLost = () => isLost

export function onLiveChannel(listener: () => void): () => void {
  channelListeners.add(listener)
  return () => channelListeners.delete(listener)
}

function setLost(isNow: boolean): void {
  isLost = isNow
  for (const tell of channelListeners) tell()
}

/** Keeps queries up to date. A message says what changed; the new value is refetched. */
export function subscribeLive(queries: QueryClient): () => void {
  let everConnected = false
  const consumer = createConsumer(`${window.location.origin.replace(/^http/, 'ws')}/cable`)
  consumer.subscriptions.create('CallsChannel', {
    connected() {
      setLost(false)
      // Messages are not stored for clients that were disconnected, or have just connected.
      if (everConnected) void queries.invalidateQueries()
      else for (const name of LIVE) readAgain(queries, [name])
      everConnected = true
    },
    disconnected: () => setLost(true),
    received(raw) {
      const message = raw as LiveMessage
      for (const key of staleAfter(message)) readAgain(queries, key)
      for (const listener of listeners) listener(message)
    },
  })
  return () => consumer.disconnect()
}

function readAgain(queries: QueryClient, queryKey: QueryKey): void {
  const first = queries
    .getQueryCache()
    .findAll({ queryKey, fetchStatus: 'fetching', predicate: ({ state }) => state.data === undefined })
  void queries.invalidateQueries({ queryKey })
  // A first fetch continues, and may predate the change: so it is repeated when it is done.
  for (const { queryKey } of first)
    void queries
      .refetchQueries({ queryKey, exact: true }, { cancelRefetch: false })
      .then(() => queries.invalidateQueries({ queryKey, exact: true }))
}

/** The queries that messages can make stale. */
const LIVE = [
  'inbox',
  'activity',
  'unseen',
  'voicemails',
  'calls',
  'call',
  'active-call',
  'parked-calls',
  'employees',
  'session',
  'numbers',
]

function staleAfter(message: LiveMessage): QueryKey[] {
  switch (message.type) {
    case 'sms_update':
      return [['inbox'], ['activity', message.phone_number], ['unseen']]
    case 'unseen_update':
      // The session and the numbers too: it also says that texting was switched, or a number taken out of service.
      return [['inbox'], ['activity'], ['unseen'], ['voicemails'], ['session'], ['numbers']]
    case 'call_update':
      return [
        ['calls'],
        ['call', message.id],
        ['active-call'],
        ['parked-calls'],
        ['inbox'],
        ['activity'],
        ['voicemails'],
        ['unseen'],
      ]
    case 'presence_update':
      // An internal call changes the presence of both, and nothing else is published of it.
      return [['employees'], ['active-call'], ['calls', 'internal']]
    default:
      // A newer server may send messages that this page does not know.
      return []
  }
}

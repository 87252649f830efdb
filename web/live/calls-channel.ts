import { createConsumer } from '@rails/actioncable'
import type { QueryClient, QueryKey } from '@tanstack/react-query'

import { liveIs, onReturn } from '../connection/reachability.ts'

/** The messages of the live channel: docs/live-channel.md. */
export type LiveMessage =
  | { type: 'sms_update'; id: string; phone_number: string }
  | { type: 'unseen_update' }
  | { type: 'call_update'; id: string }
  | { type: 'presence_update'; employee_id: string }
  | { type: 'thread_update'; phone_number: string }
  | { type: 'writing_update'; phone_number: string }
  | { type: 'favourites_update'; employee_id: string }

/** How often it is checked whether the server still sends pings. */
const LIMITS = { checkMs: 2_000 }

type Listener = (message: LiveMessage) => void

const listeners = new Set<Listener>()

/** For code that handles a change itself, beside the queries that are refetched. */
export function onLiveMessage(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

let connectAgain = () => {}

/** After a new session: the channel ended with the previous one. */
export const reconnectLive = () => connectAgain()

/** Keeps queries up to date. A message says what changed; the new value is refetched. */
export function subscribeLive(queries: QueryClient): () => void {
  let everConnected = false
  const consumer = createConsumer(`${window.location.origin.replace(/^http/, 'ws')}/cable`)
  consumer.subscriptions.create('CallsChannel', {
    connected() {
      liveIs(true)
      // Messages are not stored for clients that were disconnected, or have just connected.
      if (everConnected) void queries.invalidateQueries()
      else for (const name of LIVE) readAgain(queries, [name])
      everConnected = true
    },
    disconnected({ willAttemptReconnect }) {
      liveIs(false)
      // The session has ended: whoever asks for it next is redirected to the sign-in.
      if (!willAttemptReconnect) void queries.invalidateQueries({ queryKey: ['session'] })
    },
    received(raw) {
      const message = raw as LiveMessage
      for (const key of staleAfter(message)) readAgain(queries, key)
      for (const listener of listeners) listener(message)
    },
  })
  connectAgain = () => consumer.connect()
  // A connection that is silently lost is replaced without being reported as disconnected.
  const isStale = () => consumer.connection.monitor.connectionIsStale()
  const check = setInterval(() => isStale() && liveIs(false), LIMITS.checkMs)
  const stopListening = onReturn(() => {
    void queries.invalidateQueries()
    // It would take up to half a minute by itself.
    if (isStale()) consumer.connection.reopen()
  })
  return () => {
    clearInterval(check)
    stopListening()
    consumer.disconnect()
  }
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
  'thread-team',
  'notes',
  'unseen',
  'voicemails',
  'calls',
  'call',
  'active-call',
  'parked-calls',
  'live-calls',
  'calls-today',
  'employees',
  'favourites',
  'session',
  'numbers',
  'onboarding',
]

function staleAfter(message: LiveMessage): QueryKey[] {
  switch (message.type) {
    case 'sms_update':
      return [
        ['inbox'],
        ['activity', message.phone_number],
        ['thread-team', message.phone_number],
        ['unseen'],
        ['onboarding'],
      ]
    case 'unseen_update':
      // The session and the numbers too: it also says that texting was switched, or a number taken out of service.
      return [
        ['inbox'],
        ['activity'],
        ['thread-team'],
        ['unseen'],
        ['voicemails'],
        ['session'],
        ['numbers'],
        ['onboarding'],
      ]
    case 'call_update':
      return [
        ['calls'],
        ['call', message.id],
        ['active-call'],
        ['parked-calls'],
        ['inbox'],
        ['activity'],
        ['thread-team'],
        ['voicemails'],
        ['unseen'],
        ['onboarding'],
      ]
    case 'presence_update':
      // An internal call changes the presence of both, and nothing else is published of it.
      return [['employees'], ['active-call'], ['calls', 'internal'], ['onboarding']]
    case 'thread_update':
      return [['inbox'], ['thread-team', message.phone_number], ['notes', message.phone_number]]
    case 'writing_update':
      return [['thread-team', message.phone_number]]
    case 'favourites_update':
      return [['favourites']]
    default:
      // A newer server may send messages that this page does not know.
      return []
  }
}

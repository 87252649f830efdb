import { inBackground } from '../background.ts'
import { systemPause } from '../clock.ts'
import { PLATFORM_LIMITS } from '../limits.ts'
import type { Log } from '../log.ts'
import type { DatabaseAddress } from './address.ts'
import { type DatabaseConnection, openConnection } from './connection.ts'
import { connect, type Queryable, SESSION_SETTINGS } from './database.ts'

interface Listener {
  onMessage(id: string): void
  onGap(): void
}

/**
 * Notifies every process of a change. Carries ids only, never content. A notification may be lost while a connection
 * is down, so listeners must be able to query again (`onGap`).
 */
export interface PubSub {
  /** After a failure it may be called again. */
  subscribe(channel: string, listener: Listener): Promise<void>
  close(): Promise<void>
}

/**
 * One connection that listens. The driver's own `listen` keeps the rejection of a failed LISTEN, and does not report
 * one that fails after a reconnection: then no notification arrives until the process restarts.
 *
 * PostgreSQL shows the label as the name of the connection.
 */
export function openPubSub(
  address: DatabaseAddress,
  log: Log,
  label = SESSION_SETTINGS.application_name,
): PubSub {
  const channels = new Map<string, Set<Listener>>()
  let losses = 0
  let isClosed = false
  let line = open()

  function open(): DatabaseConnection {
    return openConnection({
      // `onnotify` is missing in the driver's types.
      connect(options) {
        const connection = { ...SESSION_SETTINGS, application_name: label }
        const more = { connection, keep_alive: PLATFORM_LIMITS.listenerKeepAliveSeconds, onnotify: tell }
        return connect(address, { ...options, ...more })
      },
      pause: () =>
        systemPause(
          Math.min(PLATFORM_LIMITS.listenerRedialMs * (2 ** losses - 1), PLATFORM_LIMITS.listenerRedialMsMax),
        ),
      onLost() {
        if (isClosed) return
        losses++
        line = open()
        inBackground(log, 'resume listening to the database', listenAgain)
      },
      closeSeconds: PLATFORM_LIMITS.listenerCloseSeconds,
    })
  }

  function tell(channel: string, id: string): void {
    for (const listener of channels.get(channel) ?? []) guarded(() => listener.onMessage(id))
  }

  /** A listener that throws must neither affect the others nor break the connection. */
  function guarded(run: () => void): void {
    try {
      run()
    } catch (err) {
      log.error({ err }, 'handling a notification of the database failed')
    }
  }

  async function listenAgain(): Promise<void> {
    const opened = line
    try {
      for (const channel of channels.keys()) await listenTo(opened, channel)
    } catch (err) {
      if (!isClosed) log.warn({ err }, 'listening to the database failed; retrying')
      // A lost connection has already been replaced.
      return opened.lost ? undefined : opened.close()
    }
    losses = 0
    // Notifications in between are unknown.
    for (const listeners of channels.values())
      for (const listener of listeners) guarded(() => listener.onGap())
  }

  return {
    async subscribe(channel, listener) {
      const listeners = channels.get(channel) ?? new Set()
      channels.set(channel, listeners.add(listener))
      try {
        await listenTo(line, channel)
      } catch (error) {
        listeners.delete(listener)
        throw error
      }
      guarded(() => listener.onGap())
    },
    async close() {
      isClosed = true
      await line.close()
    },
  }
}

const listenTo = ({ sql }: DatabaseConnection, channel: string) =>
  sql.unsafe(`listen "${channel.replaceAll('"', '""')}"`)

/** Delivered when the transaction commits. */
export async function publish(tx: Queryable, channel: string, id: string): Promise<void> {
  await tx`select pg_notify(${channel}, ${id})`
}

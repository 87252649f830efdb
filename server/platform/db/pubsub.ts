import { inBackground } from '../background.ts'
import { systemPause } from '../clock.ts'
import { LIMITS } from '../limits.ts'
import type { Log } from '../log.ts'
import type { DatabaseAddress } from './address.ts'
import { connect, type Queryable } from './database.ts'
import { type Line, openLine } from './line.ts'

interface Listener {
  onMessage(id: string): void
  onGap(): void
}

/**
 * Tells every process that something changed. Carries ids only, never content: a notification may be lost
 * while a connection is down, so whoever listens must be able to look again (`onGap`).
 */
export interface PubSub {
  /** What is refused may be asked for again. */
  subscribe(channel: string, listener: Listener): Promise<void>
  close(): Promise<void>
}

/**
 * One connection that listens. The driver's own `listen` keeps the rejection of a LISTEN that was refused, and after a
 * reconnection does not say that one was: then nobody hears anything until the process starts again.
 */
export function openPubSub(address: DatabaseAddress, log: Log): PubSub {
  const channels = new Map<string, Set<Listener>>()
  let losses = 0
  let isClosed = false
  let line = open()

  function open(): Line {
    return openLine({
      // `onnotify` is missing in the types of the driver.
      connect(options) {
        const more = { keep_alive: LIMITS.listenerKeepAliveSeconds, onnotify: tell }
        return connect(address, { ...options, ...more })
      },
      pause: () =>
        systemPause(Math.min(LIMITS.listenerRedialMs * (2 ** losses - 1), LIMITS.listenerRedialMsMax)),
      onLost() {
        if (isClosed) return
        losses++
        line = open()
        inBackground(log, 'listen to the database again', listenAgain)
      },
      closeSeconds: LIMITS.listenerCloseSeconds,
    })
  }

  function tell(channel: string, id: string): void {
    for (const listener of channels.get(channel) ?? []) guarded(() => listener.onMessage(id))
  }

  /** One who fails must neither keep the others from hearing, nor break the connection it came by. */
  function guarded(run: () => void): void {
    try {
      run()
    } catch (err) {
      log.error({ err }, 'what the database told could not be dealt with')
    }
  }

  async function listenAgain(): Promise<void> {
    const opened = line
    try {
      for (const channel of channels.keys()) await listenTo(opened, channel)
    } catch (err) {
      if (!isClosed) log.warn({ err }, 'the database could not be listened to; it is tried again')
      // One that is lost has been replaced.
      return opened.lost ? undefined : opened.close()
    }
    losses = 0
    // What was sent in between is unknown.
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

const listenTo = ({ sql }: Line, channel: string) => sql.unsafe(`listen "${channel.replaceAll('"', '""')}"`)

/** Sent when the transaction commits, and not if it does not. */
export async function publish(tx: Queryable, channel: string, id: string): Promise<void> {
  await tx`select pg_notify(${channel}, ${id})`
}

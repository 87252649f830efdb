import type { Socket } from 'node:net'

import { type Client, escapeIdentifier } from 'pg'

import { inBackground } from '../background.ts'
import { systemClock, systemPause, withTimeout } from '../clock.ts'
import { PLATFORM_LIMITS } from '../limits.ts'
import type { Log } from '../log.ts'
import { type DatabaseAddress, directAddress } from './address.ts'
import type { Queryable } from './database.ts'
import {
  connectionClosed,
  inTime,
  openConnection,
  SESSION_SETTINGS,
  throwWithCode,
} from './driver/connection.ts'
import { hostsOf } from './driver/hosts.ts'
import {
  announceFollower,
  follow,
  followEverything,
  hasEarlierListeners,
  unfollow,
  unfollowEverything,
} from './followers.ts'

interface Topic {
  followers: number
  /** Resolves once the connection follows it. */
  followed: Promise<void>
}

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
  /**
   * Until the returned function is called, what is published to the followers of the topic reaches this process. What
   * was published before can be read when this resolves.
   */
  follow(topic: string): Promise<() => void>
  close(): Promise<void>
}

/** One connection that listens. PostgreSQL shows the label as its name. */
export function openPubSub(
  address: DatabaseAddress,
  log: Log,
  label = SESSION_SETTINGS.application_name,
): PubSub {
  const channels = new Map<string, Set<Listener>>()
  const topics = new Map<string, Topic>()
  let stopChecking: (() => void) | undefined
  let stopWatching: (() => void) | undefined
  const settings = {
    lock_timeout: PLATFORM_LIMITS.followerLockMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: PLATFORM_LIMITS.listenerKeepAliveSeconds * 1_000,
  }
  let losses = 0
  const sockets = new Set<Socket>()
  let isClosed = false
  let connection = open()

  function open(): Promise<Client> {
    const pauseMs = PLATFORM_LIMITS.listenerRedialMs * (2 ** losses - 1)
    const opened = systemPause(Math.min(pauseMs, PLATFORM_LIMITS.listenerRedialMsMax)).then(async () => {
      if (isClosed) throw connectionClosed()
      const client = await openConnection(directAddress(address), {
        settings,
        sockets,
        onLost: () => replace(opened),
      })
      await inTime(PLATFORM_LIMITS.connectSeconds * 1_000, announceFollower(client, label))
      await standInForEarlier(client)
      if (hostsOf(directAddress(address)).areSeveral) watch(client)
      return client.on('notification', ({ channel, payload = '' }) => tell(channel, payload))
    })
    opened.catch(() => replace(opened))
    return opened
  }

  /**
   * A machine that lost its power closes no connection, and statements that wait for it would wait for minutes. Once this
   * connection leads to the new primary, those to the old one are broken.
   */
  function watch(client: Client): void {
    stopWatching = systemClock.after(PLATFORM_LIMITS.hostCheckMs, () => {
      const asked = withTimeout(systemClock, PLATFORM_LIMITS.hostSilenceMs, client.query('select'))
      asked.then(
        ({ ok }) => {
          if (isClosed) return
          if (ok) watch(client)
          else for (const socket of sockets) socket.destroy()
        },
        // It is being replaced.
        () => {},
      )
    })
  }

  /** Follows everything while processes of an earlier release listen, as during an upgrade. */
  async function standInForEarlier(client: Client): Promise<void> {
    if (!(await hasEarlierListeners(client))) return
    await followEverything(client)
    const checkAgain = () => {
      inBackground(log, 'look for listeners of an earlier release', async () => {
        if (isClosed || client !== (await connection)) return
        if (await hasEarlierListeners(client)) checkLater()
        else await unfollowEverything(client)
      })
    }
    const checkLater = () => {
      stopChecking = systemClock.after(PLATFORM_LIMITS.earlierListenersMs, checkAgain)
    }
    checkLater()
  }

  function replace(old: Promise<Client>): void {
    if (isClosed || connection !== old) return
    losses++
    connection = open()
    inBackground(log, 'resume listening to the database', listenAgain)
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
    const opened = connection
    try {
      for (const channel of channels.keys()) await listenTo(opened, channel)
      for (const [name, topic] of topics) await (topic.followed = followOn(opened, name))
    } catch (err) {
      if (!isClosed) log.warn({ err }, 'listening to the database failed; retrying')
      replace(opened)
      // One that was lost, or never opened, is closed already.
      return opened.then(
        (client) => client.end(),
        () => {},
      )
    }
    losses = 0
    // Notifications in between are unknown.
    for (const listeners of channels.values())
      for (const listener of listeners) guarded(() => listener.onGap())
  }

  function leave(name: string, topic: Topic): void {
    topic.followers--
    if (topic.followers > 0 || topics.get(name) !== topic) return
    topics.delete(name)
    // A connection that was lost follows nothing anyway.
    connection.then((client) => unfollow(client, name)).catch(() => {})
  }

  return {
    async follow(name) {
      const topic = topics.get(name) ?? { followers: 0, followed: followOn(connection, name) }
      topics.set(name, topic)
      topic.followers++
      try {
        await topic.followed
      } catch (error) {
        leave(name, topic)
        throw error
      }
      let isFollowing = true
      return () => {
        if (isFollowing) leave(name, topic)
        isFollowing = false
      }
    },
    async subscribe(channel, listener) {
      const listeners = channels.get(channel) ?? new Set()
      channels.set(channel, listeners.add(listener))
      try {
        await listenTo(connection, channel)
      } catch (error) {
        listeners.delete(listener)
        throw error
      }
      guarded(() => listener.onGap())
    },
    async close() {
      isClosed = true
      stopChecking?.()
      stopWatching?.()
      const ended = connection.then(
        (client) => client.end(),
        () => {},
      )
      await withTimeout(systemClock, PLATFORM_LIMITS.listenerCloseSeconds * 1_000, ended)
      for (const socket of sockets) socket.destroy()
    },
  }
}

const followOn = async (connection: Promise<Client>, topic: string) =>
  follow(await connection, topic).catch(throwWithCode)

const listenTo = async (connection: Promise<Client>, channel: string) =>
  (await connection).query(`listen ${escapeIdentifier(channel)}`).catch(throwWithCode)

/** Delivered when the transaction commits. */
export async function publish(tx: Queryable, channel: string, id: string): Promise<void> {
  await tx`select pg_notify(${channel}, ${id})`
}

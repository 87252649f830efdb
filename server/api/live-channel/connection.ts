import type { WebSocket } from 'ws'

import type { Clock } from '../../platform/clock.ts'
import type { AuthenticatedClient } from './credentials.ts'
import {
  channelOf,
  confirmFrame,
  DISCONNECT_REASONS,
  disconnectFrame,
  type DisconnectReason,
  readCommand,
  rejectFrame,
  welcomeFrame,
} from './frames.ts'
import { LIVE_CHANNEL_LIMITS } from './limits.ts'
import type { Streams } from './streams.ts'

/** One client. */
export interface LiveConnection {
  admission: AuthenticatedClient
  send(frame: Buffer | string): void
  disconnect(why: DisconnectReason): void
  /** Drops a client that has not responded since the last ping. */
  askForProof(): void
}

/** Why a client was dropped without a message, which it would not have read. */
export type DropReason = 'slow_reader' | 'no_answer'

interface ConnectionOptions {
  admission: AuthenticatedClient
  streams: Streams<LiveConnection>
  /** Messages to the company reach this process from then on, until the returned function is called. */
  follow(companyId: string): Promise<() => void>
  clock: Clock
  onEnding(why: DisconnectReason | DropReason): void
  onClose(connection: LiveConnection): void
}

const CHANNEL = 'CallsChannel'

export function openLiveConnection(socket: WebSocket, options: ConnectionOptions): LiveConnection {
  const { admission, streams, follow, clock, onEnding, onClose } = options
  const { companyId } = admission.actor
  const subscriptions = new Set<string>()
  const withinRate = rateLimit(clock)
  let following: Promise<() => void> | undefined
  let proven = true

  const connection: LiveConnection = {
    admission,
    send(frame) {
      if (socket.readyState !== socket.OPEN) return
      if (socket.bufferedAmount > LIVE_CHANNEL_LIMITS.waitingBytes) drop('slow_reader')
      else socket.send(frame, { binary: false })
    },
    disconnect(why) {
      if (socket.readyState !== socket.OPEN) return
      onEnding(why)
      disconnect(socket, why)
    },
    askForProof() {
      if (!proven) drop('no_answer')
      else if (socket.readyState === socket.OPEN) socket.ping()
      proven = false
    },
  }

  function drop(why: DropReason): void {
    onEnding(why)
    socket.terminate()
  }

  function receive(data: Buffer, isBinary: boolean): void {
    const command = isBinary ? undefined : readCommand(data.toString())
    if (!command) connection.disconnect('invalid_request')
    else if (command.command === 'subscribe') subscribe(command.identifier)
    else if (command.command === 'unsubscribe') unsubscribe(command.identifier)
    // The channel has no actions, and commands of newer clients are harmless.
  }

  function subscribe(identifier: string): void {
    // Clients repeat the request if the response is slow; a second confirmation would confuse them.
    if (subscriptions.has(identifier)) return
    if (channelOf(identifier) !== CHANNEL || subscriptions.size >= LIVE_CHANNEL_LIMITS.subscriptionsPerSocket)
      return connection.send(rejectFrame(identifier))
    subscriptions.add(identifier)
    following ??= follow(companyId)
    following.then(
      () => confirm(identifier),
      () => connection.disconnect('server_restart'),
    )
  }

  /** What happens after the confirmation reaches the client. */
  function confirm(identifier: string): void {
    if (!subscriptions.has(identifier) || socket.readyState !== socket.OPEN) return
    streams.join(companyId, identifier, connection)
    connection.send(confirmFrame(identifier))
  }

  function unsubscribe(identifier: string): void {
    subscriptions.delete(identifier)
    streams.leave(companyId, identifier, connection)
  }

  socket.on('message', (data: Buffer, isBinary) => {
    if (socket.readyState !== socket.OPEN) return
    if (withinRate()) receive(data, isBinary)
    else connection.disconnect('invalid_request')
  })
  // Each ping gets a response, so pings are limited too.
  socket.on('ping', () => {
    if (!withinRate()) connection.disconnect('invalid_request')
  })
  socket.on('pong', () => (proven = true))
  socket.on('close', () => {
    for (const identifier of subscriptions) streams.leave(companyId, identifier, connection)
    following?.then(
      (stop) => stop(),
      () => {},
    )
    onClose(connection)
  })
  connection.send(welcomeFrame())
  return connection
}

/** Also for a client that was never admitted. */
export function disconnect(socket: WebSocket, why: DisconnectReason): void {
  socket.send(disconnectFrame(why))
  socket.close(DISCONNECT_REASONS[why].closeCode, why)
}

function rateLimit(clock: Clock): () => boolean {
  let windowEnds = 0
  let count = 0
  return () => {
    const now = clock.now().getTime()
    if (now >= windowEnds) [windowEnds, count] = [now + LIVE_CHANNEL_LIMITS.windowMs, 0]
    return ++count <= LIVE_CHANNEL_LIMITS.messagesPerWindow
  }
}

import { createCable } from '@anycable/core'
import { adapters, ConnectionMonitor, createConsumer } from '@rails/actioncable'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'

/** What an application with one of the published clients sees. */
export interface LiveClient {
  heard: unknown[]
  /** In order: `lost` if the client will reconnect by itself, `ended` if it will not. */
  happened: ('connected' | 'rejected' | 'lost' | 'ended')[]
}

const CHANNEL = 'CallsChannel'

/** Rails' client takes a URL but no headers, so the key is passed in the URL and moved to a header here. */
class SocketWithKey extends WebSocket {
  constructor(address: string, protocols: string[]) {
    const url = new URL(address)
    const key = url.searchParams.get('key') ?? ''
    url.search = ''
    super(url, protocols, { headers: { 'x-api-key': key } })
  }
}

interface ClientSettings {
  channel?: string
  /** After this long without a ping, the client assumes a dead connection. Pings follow the server's clock. */
  deadAfterSeconds: number
}

/** Slightly more than the ping interval, so that clients that have lost the server soon reconnect. */
export const PINGED = { deadAfterSeconds: 4 }
/** For a server whose clock stands still. */
export const NEVER_PINGED = { deadAfterSeconds: 3_600 }

/** Rails' own client in a program. For a page, see the example in docs/live-channel.md. */
export function railsClient(url: string, key: string, settings: ClientSettings): LiveClient {
  standInForBrowser(settings)
  const client: LiveClient = { heard: [], happened: [] }
  const consumer = createConsumer(`${url.replace('http', 'ws')}/cable?key=${key}`)
  consumer.subscriptions.create(settings.channel ?? CHANNEL, {
    connected: () => client.happened.push('connected'),
    disconnected: ({ willAttemptReconnect }) => client.happened.push(willAttemptReconnect ? 'lost' : 'ended'),
    rejected: () => client.happened.push('rejected'),
    received: (message) => client.heard.push(message),
  })
  onTestFinished(() => consumer.disconnect())
  return client
}

function standInForBrowser({ deadAfterSeconds }: ClientSettings): void {
  adapters.WebSocket = SocketWithKey
  ConnectionMonitor.staleThreshold = deadAfterSeconds
  // The client also listens for the page to become visible.
  Object.assign(globalThis, { addEventListener() {}, removeEventListener() {} })
}

/** AnyCable's client, which sends the key in a header. */
export function anyCableClient(url: string, key: string, settings: ClientSettings): LiveClient {
  const client: LiveClient = { heard: [], happened: [] }
  const cable = createCable(`${url.replace('http', 'ws')}/cable`, {
    websocketImplementation: WebSocket,
    websocketOptions: { headers: { 'x-api-key': key } },
    pingInterval: settings.deadAfterSeconds * 1_000,
    maxMissingPings: 1,
    reconnectStrategy: () => 1_000,
    logLevel: 'error',
  })
  const subscription = cable.subscribeTo(settings.channel ?? CHANNEL)
  subscription.on('connect', () => client.happened.push('connected'))
  subscription.on('close', (why) => isRejection(why) && client.happened.push('rejected'))
  subscription.on('message', (message) => client.heard.push(message))
  cable.on('disconnect', () => client.happened.push('lost'))
  cable.on('close', () => client.happened.push('ended'))
  onTestFinished(() => {
    cable.monitor?.dispose()
    cable.disconnect()
  })
  return client
}

const isRejection = (why: unknown) => why instanceof Error && why.name === 'SubscriptionRejectedError'

export const realClients = [
  ['@rails/actioncable', railsClient],
  ['@anycable/core', anyCableClient],
] as const

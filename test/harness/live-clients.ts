import { createCable } from '@anycable/core'
import { adapters, ConnectionMonitor, createConsumer } from '@rails/actioncable'
import { afterEach } from 'vitest'
import { WebSocket } from 'ws'

/** What an application sees that uses one of the published clients. */
export interface LiveClient {
  heard: unknown[]
  /** In order: `lost` when the client will come back by itself, `ended` when it will not. */
  happened: ('connected' | 'rejected' | 'lost' | 'ended')[]
}

const open: (() => void)[] = []
afterEach(() => {
  for (const close of open.splice(0)) close()
})

/** For a browser's WebSocket, which sends no headers. */
export const cableUrl = (url: string, key: string) => `${url.replace('http', 'ws')}/cable?access_token=${key}`

/** In place of the six seconds that Rails' client waits before it looks for the server again. */
const LOOK_AGAIN_SECONDS = 1

/** Rails' own client, as a page runs it. */
export function railsClient(url: string, key: string, channel = 'CallsChannel'): LiveClient {
  standInForBrowser()
  const client: LiveClient = { heard: [], happened: [] }
  const consumer = createConsumer(cableUrl(url, key))
  consumer.subscriptions.create(channel, {
    connected: () => client.happened.push('connected'),
    disconnected: ({ willAttemptReconnect }) => client.happened.push(willAttemptReconnect ? 'lost' : 'ended'),
    rejected: () => client.happened.push('rejected'),
    received: (message) => client.heard.push(message),
  })
  open.push(() => consumer.disconnect())
  return client
}

function standInForBrowser(): void {
  adapters.WebSocket = WebSocket
  ConnectionMonitor.staleThreshold = LOOK_AGAIN_SECONDS
  // It also listens for the page to become visible.
  Object.assign(globalThis, { addEventListener() {}, removeEventListener() {} })
}

/** AnyCable's client, which sends the key in a header. */
export function anyCableClient(url: string, key: string, channel = 'CallsChannel'): LiveClient {
  const client: LiveClient = { heard: [], happened: [] }
  const cable = createCable(`${url.replace('http', 'ws')}/cable`, {
    websocketImplementation: WebSocket,
    websocketOptions: { headers: { 'x-api-key': key } },
    reconnectStrategy: () => LOOK_AGAIN_SECONDS * 1_000,
    logLevel: 'error',
  })
  const subscription = cable.subscribeTo(channel)
  subscription.on('connect', () => client.happened.push('connected'))
  subscription.on('close', (why) => isRejection(why) && client.happened.push('rejected'))
  subscription.on('message', (message) => client.heard.push(message))
  cable.on('disconnect', () => client.happened.push('lost'))
  cable.on('close', () => client.happened.push('ended'))
  open.push(() => {
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

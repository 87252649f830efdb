import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { text as textOf } from 'node:stream/consumers'

import { HOSTS, type Network } from '../environment/network.ts'

const LIMITS = { reportsMax: 200 }

/**
 * How the provider handles a request to send: `away` refuses connections, `mute` accepts the text and never responds.
 */
export type ProviderMode = 'well' | 'away' | 'mute' | 'failing'

/** A callback to Bellhop, repeated until it is accepted. */
export interface Callback {
  path: string
  body: string
  headers: () => Record<string, string>
}

/** The SMS provider, with the API of Telnyx: counts what it was asked to send. */
export interface Provider {
  environment: Record<string, string>
  /** How often each text was sent, by its content. */
  sent: Map<string, number>
  /** How often each number was sent a text. */
  sentTo: Map<string, number>
  setMood(mood: ProviderMode): Promise<void>
  /** Delivery reports that Bellhop has not accepted yet. */
  reports: Callback[]
  incoming(text: { id: string; from: string; to: string; text: string }): Callback
  close(): Promise<void>
}

export async function openProvider(network: Network): Promise<Provider> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const [host, port] = [network.address(HOSTS.provider), network.ports.service]
  const [sent, sentTo] = [new Map<string, number>(), new Map<string, number>()]
  const reports: Callback[] = []
  let mood: ProviderMode = 'well'
  let server: Server | undefined

  function callback(path: string, event: object): Callback {
    const body = JSON.stringify(event)
    const headers = () => {
      const timestamp = String(Math.floor(Date.now() / 1_000))
      const signature = sign(null, Buffer.from(`${timestamp}|${body}`), privateKey)
      return { 'telnyx-timestamp': timestamp, 'telnyx-signature-ed25519': signature.toString('base64') }
    }
    return { path, body, headers }
  }

  const open = () =>
    new Promise<void>((resolve) => {
      server = createServer(async (request, response) => {
        const asked = JSON.parse(await textOf(request)) as Record<
          'from' | 'to' | 'text' | 'webhook_url',
          string
        >
        count(sent, asked.text)
        count(sentTo, asked.to)
        if (mood === 'mute') return
        if (mood === 'failing') return void response.writeHead(500).end()
        const id = randomUUID()
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ data: { id, parts: 1 } }))
        const { pathname, search } = new URL(asked.webhook_url)
        const to = [{ phone_number: asked.to, status: 'delivered' }]
        reports.push(callback(pathname + search, event('message.finalized', { id, from: asked.from, to })))
        if (reports.length > LIMITS.reportsMax) reports.shift()
      })
      server.listen(port, host, resolve)
    })
  const shut = () =>
    new Promise<void>((resolve) => {
      if (!server) return resolve()
      server.close(() => resolve())
      server.closeAllConnections()
      server = undefined
    })

  await open()
  return {
    environment: {
      SMS_PROVIDER: 'telnyx',
      SMS_TIMEOUT_SECONDS: '4',
      TELNYX_URL: `http://${host}:${port}`,
      TELNYX_API_KEY: 'KEY1',
      TELNYX_PUBLIC_KEY: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64'),
    },
    sent,
    sentTo,
    reports,
    async setMood(wanted) {
      mood = wanted
      if (mood === 'away') await shut()
      else if (!server) await open()
    },
    incoming: ({ id, from, to, text }) =>
      callback(
        '/webhooks/telnyx/messages',
        event('message.received', { id, from, to: [{ phone_number: to }], text, parts: 1 }),
      ),
    close: shut,
  }
}

const event = (event_type: string, { from, ...payload }: { from: string } & Record<string, unknown>) => ({
  data: {
    id: randomUUID(),
    event_type,
    occurred_at: new Date().toISOString(),
    payload: { ...payload, from: { phone_number: from } },
  },
})

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

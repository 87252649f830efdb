/** A process that sends requests without a pause on many connections, from the message `start` until `stop`. */
import { createHmac, randomUUID } from 'node:crypto'

import { Pool } from 'undici'

import type { FloodReport } from './beside-flood.ts'

const CONNECTIONS = 64

/** As JSON in the first argument. */
export type RequestFlood = { url: string } & (
  | { kind: 'requests'; path: string; apiKey: string }
  | { kind: 'texts'; to: string; token: string }
)

const options = JSON.parse(process.argv[2]!) as RequestFlood
const TEXTS_PATH = '/webhooks/twilio/messages'

function nextRequest() {
  if (options.kind === 'requests')
    return { method: 'GET' as const, path: options.path, headers: { 'x-api-key': options.apiKey } }
  const fields = { Body: 'Hello', From: '+4520123456', MessageSid: randomUUID(), To: options.to }
  const signed = Object.entries(fields).reduce((text, pair) => text + pair.join(''), options.url + TEXTS_PATH)
  const signature = createHmac('sha1', options.token).update(signed).digest('base64')
  return {
    method: 'POST' as const,
    path: TEXTS_PATH,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature },
    body: new URLSearchParams(fields).toString(),
  }
}

const state = { isOn: false }
let startedWith = process.cpuUsage()
let report: FloodReport = { answered: 0, refused: 0, cpuMs: 0 }
const pool = new Pool(options.url, { connections: CONNECTIONS, pipelining: 1 })

async function send(): Promise<void> {
  while (state.isOn) {
    const { statusCode, body } = await pool.request(nextRequest())
    await body.dump({ limit: Number.MAX_SAFE_INTEGER })
    if (statusCode < 300) report.answered++
    else report.refused++
  }
}

let sending: Promise<unknown> = Promise.resolve()

process.on('message', (message) => {
  state.isOn = message === 'start'
  if (state.isOn) {
    report = { answered: 0, refused: 0, cpuMs: 0 }
    startedWith = process.cpuUsage()
    sending = Promise.all(Array.from({ length: CONNECTIONS }, send))
    return
  }
  const { user, system } = process.cpuUsage(startedWith)
  report.cpuMs = (user + system) / 1_000
  const done = report
  // Only when all are answered is the process that was flooded as it was before.
  void sending.then(() => process.send!(done))
})
process.on('disconnect', () => process.exit())

/**
 * The endpoint of a company with many deliveries, which responds at once: they are sent from the message `start` until
 * `stop`. Says `ready` when its subscription exists and has one delivery.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { connectApi } from '../api.ts'
import type { FloodReport } from './beside-flood.ts'

/** As JSON in the first argument. */
export interface WebhookFlood {
  url: string
  apiKey: string
}

const api = connectApi(JSON.parse(process.argv[2]!) as WebhookFlood)
let report: FloodReport = { answered: 0, refused: 0, cpuMs: 0 }
let startedWith = process.cpuUsage()

const endpoint = createServer((request, response) => {
  report.answered++
  request.resume()
  request.on('end', () => response.end())
})
endpoint.listen(0, '127.0.0.1')
await once(endpoint, 'listening')
const { port } = endpoint.address() as AddressInfo
const { id } = await api('POST', '/webhooks', {
  name: 'Flood',
  url: `http://127.0.0.1:${port}`,
  events: ['contact.created'],
})
await api('POST', '/contacts', { phone: '+4570123456', name: 'Anna Holm', note: 'Red bike' })
const activate = (active: boolean) => api('PATCH', `/webhooks/${id}`, { active })
await activate(false)
process.send!('ready')

process.on('message', async (message) => {
  if (message === 'start') {
    report = { answered: 0, refused: 0, cpuMs: 0 }
    startedWith = process.cpuUsage()
    await activate(true)
    return
  }
  const { user, system } = process.cpuUsage(startedWith)
  const done = { ...report, cpuMs: (user + system) / 1_000 }
  await activate(false)
  process.send!(done)
})
process.on('disconnect', () => process.exit())

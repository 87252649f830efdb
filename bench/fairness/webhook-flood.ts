import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { connectApi } from '../api.ts'
import type { Fixture } from '../fixture.ts'
import type { Finding } from '../measure.ts'
import { besideFlood, type Neighbour } from './beside-flood.ts'
import type { WebhookFlood } from './webhook-flood.child.ts'

const TIMING = { warmUpMs: 4_000, turnMs: 1_000, settleMs: 300, burstMs: 1_000, rounds: 12 }
const PAUSE_MS = 15
/** More than are sent in all turns. */
const DELIVERIES = 300_000

/**
 * Measures how long a change of a contact takes the neighbour, and from its answer until the neighbour's own endpoint
 * has the event, one at a time with short pauses.
 */
export async function besideWebhooks(fixture: Fixture): Promise<Finding[]> {
  const { sql } = fixture
  const noisy = await fixture.addCompany()
  const url = await fixture.startBellhop({ BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' })
  const options: WebhookFlood = { url, apiKey: noisy.apiKey }
  const flood = fork(join(import.meta.dirname, 'webhook-flood.child.js'), [JSON.stringify(options)])
  await once(flood, 'message')
  await sql`
    insert into webhook_deliveries (company_id, subscription_id, event_id, event_name)
    select company_id, subscription_id, event_id, event_name from webhook_deliveries
    cross join generate_series(1, ${DELIVERIES}) where company_id = ${noisy.companyId}`
  await sql`vacuum analyze webhook_deliveries`
  const neighbour = await changing({ url, apiKey: fixture.apiKey })
  try {
    const findings = await besideFlood(fixture, {
      what: 'webhook deliveries',
      neighbour: neighbour.change,
      flood,
      timing: TIMING,
    })
    const [left] = await sql<{ count: number }[]>`
      select count(*)::int as count from webhook_deliveries where status = 'pending'`
    if (left!.count === 0) throw new Error('There were too few deliveries for so fast a machine.')
    return findings
  } finally {
    neighbour.close()
  }
}

async function changing(of: { url: string; apiKey: string }): Promise<{ change: Neighbour; close(): void }> {
  const api = connectApi(of)
  let arrived: (() => void) | undefined
  const endpoint = createServer((request, response) => {
    arrived?.()
    request.resume()
    request.on('end', () => response.end())
  })
  endpoint.listen(0, '127.0.0.1')
  await once(endpoint, 'listening')
  const { port } = endpoint.address() as AddressInfo
  const { id } = await api('POST', '/contacts', { phone: '+4570123457', name: 'Mikkel Dahl' })
  await api('POST', '/webhooks', {
    name: 'Changes',
    url: `http://127.0.0.1:${port}`,
    events: ['contact.updated'],
  })
  let changes = 0
  const change: Neighbour = async (ms) => {
    const turn = { 'change of a contact': [] as number[], 'delivery of its event': [] as number[] }
    const start = performance.now()
    while (performance.now() - start < ms) {
      const before = performance.now()
      const delivery = new Promise<number>((resolve) => {
        arrived = () => resolve(performance.now())
      })
      await api('PATCH', `/contacts/${id}`, { note: `Change ${++changes}` })
      const answeredAt = performance.now()
      turn['change of a contact'].push(answeredAt - before)
      // It may be there before the answer.
      turn['delivery of its event'].push(Math.max(0.1, (await delivery) - answeredAt))
      await pause(PAUSE_MS)
    }
    return turn
  }
  return { change, close: () => endpoint.close() }
}

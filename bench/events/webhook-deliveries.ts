import { WEBHOOK_LIMITS } from '../../server/modules/webhooks/limits.ts'
import { connectApi } from '../api.ts'
import { withFixture } from '../fixture.ts'
/**
 * Claim: to an endpoint that responds at once, a worker delivers at least 0.4 times as many events as a bare loop that
 * sends the same bodies over as many connections: with leases, signatures, results and the log in the database.
 */
import { type Bench, compare, type Contender, TIMINGS } from '../measure.ts'
import type { BareRun } from './webhook-deliveries.bare.ts'

const DELIVERIES = 150_000

export const webhookDeliveries: Bench = {
  name: 'webhook-deliveries',
  run: () =>
    withFixture(async ({ sql, companyId, apiKey, startBellhop, startBare }) => {
      const sink = await startBare('events/webhook-sink.js')
      const bellhop = await startBellhop({ BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' })
      const bare = await startBare('events/webhook-deliveries.bare.js')
      const api = connectApi({ url: bellhop, apiKey })
      const received = async () => Number(await (await fetch(sink)).text())

      const webhook = { name: 'Sink', url: sink, events: ['contact.created'] }
      const { id } = await api('POST', '/webhooks', webhook)
      const contact = await api('POST', '/contacts', {
        phone: '+4570123456',
        name: 'Anna Holm',
        note: 'Red bike',
      })
      await api('PATCH', `/webhooks/${id}`, { active: false })
      await sql`
        insert into webhook_deliveries (company_id, subscription_id, event_id, event_name)
        select company_id, subscription_id, event_id, event_name from webhook_deliveries
        cross join generate_series(1, ${DELIVERIES}) where company_id = ${companyId}`
      await sql`vacuum analyze webhook_deliveries`

      const perSecond = async (work: () => Promise<void>) => {
        const [before, start] = [await received(), performance.now()]
        await work()
        return (((await received()) - before) / (performance.now() - start)) * 1000
      }
      const ours: Contender = (ms) =>
        perSecond(async () => {
          await api('PATCH', `/webhooks/${id}`, { active: true })
          await new Promise((resolve) => setTimeout(resolve, ms))
          await api('PATCH', `/webhooks/${id}`, { active: false })
        })
      const event = { event: 'contact.created', timestamp: new Date().toISOString(), data: { contact } }
      const bareLoop: Contender = (ms) =>
        perSecond(async () => {
          const run: BareRun = {
            url: sink,
            body: JSON.stringify(event),
            ms,
            connections: WEBHOOK_LIMITS.perEndpointMax,
          }
          await fetch(bare, { method: 'POST', body: JSON.stringify(run) })
        })
      const comparison = await compare(ours, bareLoop, TIMINGS.steady)
      const [left] = await sql<{ count: number }[]>`
        select count(*)::int as count from webhook_deliveries where status = 'pending'`
      if (left!.count === 0) throw new Error('There were too few deliveries for so fast a machine.')
      return [
        {
          what: 'webhook deliveries/s',
          sides: ['Bellhop:', 'bare loop:'],
          goal: 0.4,
          ...comparison,
        },
      ]
    }),
}

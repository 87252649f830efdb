import { companyOf, type Filling, insertInSteps } from './series.ts'

/** Slightly more than what is kept, so that some is old enough to be deleted. */
const KEPT_DAYS = 31

/** Events of the last month, each with a delivery. One delivery of a hundred waits for its next attempt. */
export async function fillEvents(filling: Filling): Promise<void> {
  const { events } = filling.size
  const at = `now() - interval '${KEPT_DAYS} days' * (1 - n::float8 / ${events + 1})`
  await insertInSteps(
    filling,
    'events',
    events,
    (series) => `
      with made as (
        insert into events (company_id, id, data, created_at)
        select c.id, growth.id_at(at), json_build_object(
          'id', 'call_' || md5(n::text), 'direction', 'inbound', 'state', 'ended', 'phone_number', '+4520000000',
          'started_at', at, 'ended_at', at, 'summary', 'Asked about order ' || n
        ), at
        from ${series} as n ${companyOf('n', 'event')}, lateral (select ${at} as at) as moment
        returning company_id, id, created_at
      )
      insert into webhook_deliveries (
        company_id, subscription_id, id, event_id, event_name, status, next_attempt_at, tries, attempts, created_at
      )
      select company_id, subscription, growth.id_at(created_at), made.id, 'call.ended',
        case when waits then 'pending' else 'succeeded' end, case when waits then now() + interval '30 days' end, 1,
        '[{"at": "2026-01-01T00:00:00Z", "status_code": 200, "outcome": "ok", "duration_ms": 20}]', created_at
      from made join growth.companies c on c.id = company_id,
        lateral (select right(made.id::text, 2) in ('00', '01', '02') as waits) as waiting`,
  )
}

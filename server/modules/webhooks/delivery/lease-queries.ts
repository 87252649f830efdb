import type { Queryable, Tx } from '../../../platform/db/database.ts'

/** A subscription of a company. */
export interface SubscriptionRef {
  companyId: string
  subscriptionId: string
}

/** A leased subscription, and its current endpoint. */
export interface LeaseRow extends SubscriptionRef {
  url: string
  secretSealed: Buffer
  /** Still used for signing for a while after a rotation. */
  previousSecretSealed: Buffer | null
}

export interface LeaseTerms {
  /** This worker. */
  holder: string
  now: Date
  until: Date
}

/**
 * Takes leases on subscriptions with due deliveries and without a lease. Skips along the index from one to the next,
 * however many deliveries each has waiting, and takes companies in turn: neither a long queue nor many subscriptions
 * delay others.
 */
export function takeLeases(tx: Queryable, { holder, now, until }: LeaseTerms, limit: number, open: string[]) {
  return tx<LeaseRow[]>`
    with recursive waiting as (
      (
        select company_id, subscription_id from webhook_deliveries where status = 'pending'
        order by company_id, subscription_id limit 1
      )
      union all
      select next.* from waiting cross join lateral (
        select company_id, subscription_id from webhook_deliveries
        where status = 'pending'
          and (company_id, subscription_id) > (waiting.company_id, waiting.subscription_id)
        order by company_id, subscription_id limit 1
      ) next
    ),
    free as (
      select s.company_id, s.id, row_number() over (partition by s.company_id order by s.id) as turn
      from waiting w join webhook_subscriptions s on s.company_id = w.company_id and s.id = w.subscription_id
      where s.active and s.id not in (select unnest(${open}::uuid[]))
        and (s.leased_until is null or s.leased_until <= ${now} or s.leased_by = ${holder})
        and (
          exists (
            select from webhook_deliveries d where d.company_id = s.company_id and d.subscription_id = s.id
              and d.status = 'pending' and d.next_attempt_at is null
          ) or exists (
            select from webhook_deliveries d where d.company_id = s.company_id and d.subscription_id = s.id
              and d.status = 'pending' and d.next_attempt_at <= ${now}
          )
        )
    ),
    taken as (
      select s.company_id, s.id
      from free join webhook_subscriptions s on s.company_id = free.company_id and s.id = free.id
      where s.active and (s.leased_until is null or s.leased_until <= ${now} or s.leased_by = ${holder})
      order by free.turn limit ${limit} for no key update of s skip locked
    )
    update webhook_subscriptions s set leased_by = ${holder}, leased_until = ${until}
    from taken where s.company_id = taken.company_id and s.id = taken.id
    returning ${columns(tx, now)}`
}

/** Returns those that this worker still owns; the others were paused, deleted or taken over. */
export function renewLeases(tx: Tx, { holder, now, until }: LeaseTerms, refs: SubscriptionRef[]) {
  return tx<LeaseRow[]>`
    update webhook_subscriptions s set leased_until = ${until}
    from ${listed(tx, refs)}
    where s.company_id = listed.company_id and s.id = listed.id and s.active and s.leased_by = ${holder}
    returning ${columns(tx, now)}`
}

/** For another worker, or for this one later. */
export function releaseLeases(tx: Tx, holder: string, refs: SubscriptionRef[]) {
  return tx`
    update webhook_subscriptions s set leased_by = null, leased_until = null
    from ${listed(tx, refs)}
    where s.company_id = listed.company_id and s.id = listed.id and s.leased_by = ${holder}`
}

const listed = (tx: Tx, refs: SubscriptionRef[]) => tx`
  unnest(${refs.map((ref) => ref.companyId)}::uuid[], ${refs.map((ref) => ref.subscriptionId)}::uuid[])
    as listed (company_id, id)`

const columns = (tx: Queryable, now: Date) => tx`
  s.company_id as "companyId", s.id as "subscriptionId", s.url, s.secret_sealed as "secretSealed",
  case when s.previous_secret_until > ${now} then s.previous_secret_sealed end as "previousSecretSealed"`

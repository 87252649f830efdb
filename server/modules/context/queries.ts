import { type Queryable, type Tx, updateColumns } from '../../platform/db/database.ts'
import { firstRow, hasRow, oneRow, oneValue } from '../../platform/db/rows.ts'
import type { Context, ContextProviderName, LookUpFailure } from '../../providers/context/port.ts'
import { holdCompany } from '../company/index.ts'
import { readContexts, storeContexts } from './stored-contexts.ts'

export interface IntegrationRow {
  id: string
  provider: ContextProviderName
  label: string
  active: boolean
  url: string | null
  shop: string | null
  secrets_sealed: Buffer
  last_success_at: Date | null
  last_error: LookUpFailure | null
  last_error_status: number | null
  last_error_at: Date | null
  created_at: Date
  updated_at: Date
}

type IntegrationValues = Partial<Pick<IntegrationRow, 'label' | 'active' | 'url' | 'shop' | 'secrets_sealed'>>

const columns = (sql: Queryable) => sql`
  id, provider, label, active, url, shop, secrets_sealed, last_success_at, last_error, last_error_status,
  last_error_at, created_at, updated_at`

export function selectIntegrations(sql: Queryable, companyId: string) {
  return sql<IntegrationRow[]>`
    select ${columns(sql)} from integrations where company_id = ${companyId} order by id`
}

export function selectIntegration(sql: Queryable, companyId: string, id: string) {
  return firstRow(sql<IntegrationRow[]>`
    select ${columns(sql)} from integrations where company_id = ${companyId} and id = ${id}`)
}

/** Locks the row until the transaction ends. */
export function lockIntegration(tx: Tx, companyId: string, id: string) {
  return firstRow(tx<IntegrationRow[]>`
    select ${columns(tx)} from integrations where company_id = ${companyId} and id = ${id} for update`)
}

/** The number of integrations; blocks additions until the transaction ends. */
export async function countIntegrations(tx: Tx, companyId: string) {
  await holdCompany(tx, companyId)
  return oneValue(tx<{ count: number }[]>`
    select count(*)::integer as count from integrations where company_id = ${companyId}`)
}

/** As a part of a larger statement. */
export const hasActiveIntegrations = (sql: Queryable, companyId: string) =>
  sql`exists (select from integrations where company_id = ${companyId} and active)`

export function nextIntegrationId(tx: Tx) {
  return oneValue(tx<{ id: string }[]>`select new_id() as id`)
}

export function insertIntegration(
  tx: Tx,
  companyId: string,
  values: IntegrationValues & { id: string; provider: string },
) {
  return oneRow(tx<IntegrationRow[]>`
    insert into integrations ${tx({ company_id: companyId, ...values })} returning ${columns(tx)}`)
}

export function updateIntegrationRow(tx: Tx, companyId: string, id: string, values: IntegrationValues) {
  return oneRow(tx<IntegrationRow[]>`
    update integrations set ${updateColumns(tx, values)}
    where company_id = ${companyId} and id = ${id} returning ${columns(tx)}`)
}

export function deleteIntegrationRow(tx: Tx, companyId: string, id: string) {
  return hasRow(tx`
    delete from integrations where company_id = ${companyId} and id = ${id} returning id`)
}

/** Written only if it changes something; otherwise every inbound call would write the row. */
export async function noteSuccess(
  sql: Queryable,
  companyId: string,
  id: string,
  { now, unlessSince }: { now: Date; unlessSince: Date },
) {
  await sql`
    update integrations
    set last_success_at = ${now}, last_error = null, last_error_status = null, last_error_at = null
    where company_id = ${companyId} and id = ${id}
      and (last_error is not null or last_success_at is null or last_success_at < ${unlessSince})`
}

export async function noteFailure(
  sql: Queryable,
  companyId: string,
  id: string,
  { now, why, status }: { now: Date; why: LookUpFailure; status: number | null },
) {
  await sql`
    update integrations
    set last_error = ${why}, last_error_status = ${status}, last_error_at = ${now}
    where company_id = ${companyId} and id = ${id}`
}

export interface LookUpRow {
  contexts: Context[]
  enriched_at: Date
}

export async function selectFreshLookUp(sql: Queryable, companyId: string, phone: string, now: Date) {
  const row = await firstRow(sql<LookUpRow[]>`
    select contexts, enriched_at from caller_lookups
    where company_id = ${companyId} and phone = ${phone} and fresh_until > ${now}`)
  return row && { ...row, contexts: readContexts(row.contexts) }
}

export async function upsertLookUp(
  tx: Tx,
  companyId: string,
  phone: string,
  { contexts, enriched_at, freshUntil }: LookUpRow & { freshUntil: Date },
) {
  const json = tx.json(storeContexts(contexts))
  await tx`
    insert into caller_lookups (company_id, phone, contexts, enriched_at, fresh_until)
    values (${companyId}, ${phone}, ${json}, ${enriched_at}, ${freshUntil})
    on conflict (company_id, phone) do update
      set contexts = excluded.contexts, enriched_at = excluded.enriched_at, fresh_until = excluded.fresh_until`
}

export async function deleteLookUps(tx: Tx, companyId: string) {
  await tx`delete from caller_lookups where company_id = ${companyId}`
}

export async function deleteStaleLookUps(sql: Queryable, now: Date) {
  await sql`delete from caller_lookups where fresh_until <= ${now}`
}

/** Whether the call exists; it may have been deleted during the look-up. */
export function upsertCallContext(
  tx: Tx,
  companyId: string,
  callId: string,
  { contexts, enriched_at }: LookUpRow,
) {
  const json = tx.json(storeContexts(contexts))
  return hasRow(tx`
    insert into call_contexts (company_id, call_id, contexts, enriched_at)
    select company_id, id, ${json}, ${enriched_at} from calls
    where company_id = ${companyId} and id = ${callId}
    on conflict (company_id, call_id) do update
      set contexts = excluded.contexts, enriched_at = excluded.enriched_at
    returning call_id`)
}

export async function selectCallContext(sql: Queryable, companyId: string, callId: string) {
  const row = await firstRow(sql<{ phone: string; contexts: Context[] | null; enriched_at: Date | null }[]>`
    select c.remote_number as phone, x.contexts, x.enriched_at
    from calls c left join call_contexts x on x.company_id = c.company_id and x.call_id = c.id
    where c.company_id = ${companyId} and c.id = ${callId}`)
  return row && { ...row, contexts: row.contexts && readContexts(row.contexts) }
}

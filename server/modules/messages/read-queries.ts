import type { Fragment, Queryable } from '../../platform/db/database.ts'
import { firstRow } from '../../platform/db/rows.ts'
import type { Message, MessageStatus } from './schemas.ts'

export interface MessageRow extends Pick<
  Message,
  | 'id'
  | 'created_at'
  | 'business_number_id'
  | 'business_number_name'
  | 'seen_at'
  | 'direction'
  | 'sms_count'
  | 'encoding'
  | 'received_at'
  | 'delivered_at'
  | 'failure_code'
> {
  company_id: string
  status: MessageStatus
  number: string
  remote_number: string
  author: 'customer' | 'employee' | 'automation'
  employee_id: string | null
  employee_name: string | null
  text_sealed: Buffer
  /** Whether the business number can send now. */
  can_send: boolean
}

const columns = (sql: Queryable) => sql`
  m.company_id, m.id, iso_micros(m.created_at) as created_at, m.business_number_id, n.name as business_number_name,
  iso_micros(m.seen_at) as seen_at, m.direction, m.sms_count, m.encoding, iso_micros(m.received_at) as received_at,
  iso_micros(m.delivered_at) as delivered_at, m.failure_code, m.status, n.number, m.remote_number, m.author,
  m.employee_id, e.name as employee_name, m.text_sealed, 
  n.sms_capable and n.retired_at is null and c.messaging_enabled as can_send`

const joined = (sql: Queryable) => sql`
  messages m
  join business_numbers n on n.company_id = m.company_id and n.id = m.business_number_id
  join companies c on c.id = m.company_id
  left join employees e on e.id = m.employee_id`

export function selectMessage(sql: Queryable, companyId: string, id: string) {
  return firstRow(sql<MessageRow[]>`
    select ${columns(sql)} from ${joined(sql)} where m.company_id = ${companyId} and m.id = ${id}`)
}

export function selectMessages(sql: Queryable, companyId: string, ids: string[]) {
  return sql<MessageRow[]>`
    select ${columns(sql)} from ${joined(sql)} where m.company_id = ${companyId} and m.id = any(${ids}::uuid[])`
}

export function selectSealedTexts(sql: Queryable, companyId: string, ids: string[]) {
  return sql<{ id: string; text_sealed: Buffer }[]>`
    select id, text_sealed from messages where company_id = ${companyId} and id = any(${ids}::uuid[])`
}

/** Whether a customer has texted the company after this time; an expression. */
export const hasReceivedTexts = (sql: Queryable, companyId: string, since: Fragment) => sql`exists (
  select from messages
  where company_id = ${companyId} and direction = 'inbound' and created_at > ${since}
)`

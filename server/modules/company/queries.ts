import { type Fragment, type Queryable, type Tx, updateColumns } from '../../platform/db/database.ts'
import { firstRow, firstValue, oneValue } from '../../platform/db/rows.ts'
import type { Company, CompanyUpdate } from './schemas.ts'

const columns = (sql: Queryable) =>
  sql`id, name, address, city, state, zip, country, vat_id, requires_two_factor`

export function selectCompany(sql: Queryable, id: string) {
  return firstRow(sql<Company[]>`select ${columns(sql)} from companies where id = ${id}`)
}

/** As an expression on what the caller selects from. */
export const companyNameOf = (sql: Queryable, companyId: Fragment) =>
  sql`(select name from companies where id = ${companyId})`

export function selectCountry(sql: Queryable, id: string) {
  return firstValue(sql<{ country: string }[]>`select country from companies where id = ${id}`)
}

export function updateCompanyRow(tx: Tx, id: string, values: CompanyUpdate) {
  return firstRow(tx<Company[]>`
    update companies set ${updateColumns(tx, values)} where id = ${id} returning ${columns(tx)}`)
}

export function updateCompanyName(tx: Tx, id: string, name: string) {
  return firstRow(tx<Company[]>`
    update companies set name = ${name}, updated_at = now() where id = ${id} returning ${columns(tx)}`)
}

export function insertCompany(tx: Tx, values: { name: string; country: string; messaging_enabled: boolean }) {
  return oneValue(tx<{ id: string }[]>`insert into companies ${tx(values)} returning id`)
}

export async function updateMessagingFlag(tx: Tx, id: string, enabled: boolean) {
  const rows =
    await tx`update companies set messaging_enabled = ${enabled}, updated_at = now() where id = ${id} returning id`
  return rows.length === 1
}

export async function updateOutsideTransfersFlag(tx: Tx, id: string, enabled: boolean) {
  const rows = await tx`
    update companies set outside_transfers_enabled = ${enabled}, updated_at = now() where id = ${id} returning id`
  return rows.length === 1
}

export async function selectOutsideTransfersFlag(sql: Queryable, id: string) {
  const enabled = await firstValue(sql<{ enabled: boolean }[]>`
    select outside_transfers_enabled as enabled from companies where id = ${id}`)
  return enabled ?? false
}

export function selectCompanies(sql: Queryable) {
  return sql<
    {
      id: string
      name: string
      country: string
      messaging_enabled: boolean
      outside_transfers_enabled: boolean
    }[]
  >`
    select id, name, country, messaging_enabled, outside_transfers_enabled from companies order by id`
}

/** Blocks new companies until the transaction ends. */
export async function lockCompanies(tx: Tx) {
  await tx`lock table companies in share row exclusive mode`
}

/** Nobody else who holds the company goes on until the transaction ends. */
export async function holdCompany(tx: Tx, id: string) {
  await tx`select from companies where id = ${id} for no key update`
}

export function hasCompanies(sql: Queryable) {
  return oneValue(sql<{ any: boolean }[]>`select exists (select from companies) as any`)
}

/** The flag, which cannot be switched until the transaction ends. */
export async function lockMessagingFlag(tx: Tx, id: string) {
  const enabled = await firstValue(tx<{ enabled: boolean }[]>`
    select messaging_enabled as enabled from companies where id = ${id} for share`)
  return enabled ?? false
}

export async function selectMessagingFlag(sql: Queryable, id: string) {
  const [row] = await sql<{ enabled: boolean }[]>`
    select messaging_enabled as enabled from companies where id = ${id}`
  return row?.enabled ?? false
}

/** When the company was created, as an expression: what came with it, in the same transaction, has the same time. */
export const companyCreatedAt = (sql: Queryable, companyId: string) =>
  sql`(select created_at from companies where id = ${companyId})`

/** Whether it may use texts, as an expression. */
export const companyMayText = (sql: Queryable, companyId: string) =>
  sql`(select messaging_enabled from companies where id = ${companyId})`

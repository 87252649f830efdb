import type { z } from 'zod'

import type { Queryable, Tx } from '../../platform/db/database.ts'
import { fail, notFound } from '../../platform/errors.ts'
import { isLanguage, type Language } from '../../platform/http/reader.ts'
import type { Actor } from '../../platform/http/route.ts'
import { withQueue } from '../queue/index.ts'
import {
  insertCompany,
  selectCompany,
  selectCountry,
  selectMessagingFlag,
  updateCompanyRow,
  updateMessagingFlag,
} from './queries.ts'
import { type Company, CompanyCreate, type CompanyUpdate } from './schemas.ts'

export async function readCompany(sql: Queryable, actor: Actor): Promise<Company> {
  return (await selectCompany(sql, actor.companyId)) ?? fail(notFound())
}

export async function updateCompany(tx: Tx, actor: Actor, input: CompanyUpdate): Promise<Company> {
  const update = (tx: Tx) => updateCompanyRow(tx, actor.companyId, input)
  // Sessions that come to lack the second factor lose their phones.
  const row = await (input.requires_two_factor ? withQueue(tx, actor.companyId, update) : update(tx))
  return row ?? fail(notFound())
}

/** National phone numbers are read as this country writes them. */
export async function companyCountry(sql: Queryable, companyId: string): Promise<string> {
  return (await selectCountry(sql, companyId)) ?? fail(notFound())
}

/** The language of letters to its people: the country's, where we speak it. */
export async function companyLanguage(sql: Queryable, companyId: string): Promise<Language> {
  const { language } = new Intl.Locale(`und-${await companyCountry(sql, companyId)}`).maximize()
  return isLanguage(language) ? language : 'en'
}

/** Throws when there is no such company. */
export async function requireCompany(sql: Queryable, companyId: string): Promise<void> {
  await companyCountry(sql, companyId)
}

export async function createCompany(tx: Tx, input: z.input<typeof CompanyCreate>): Promise<{ id: string }> {
  return { id: await insertCompany(tx, CompanyCreate.parse(input)) }
}

export async function setMessaging(tx: Tx, companyId: string, enabled: boolean): Promise<void> {
  if (!(await updateMessagingFlag(tx, companyId, enabled))) throw notFound()
}

/** Everything of texting is hidden, as if it did not exist, while the operator has not switched it on. */
export const requireMessaging =
  ({ sql }: { sql: Queryable }) =>
  async ({ companyId }: Actor): Promise<void> => {
    if (!(await selectMessagingFlag(sql, companyId))) throw notFound()
  }

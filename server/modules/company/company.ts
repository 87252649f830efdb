import type { z } from 'zod'

import { publishToCompany } from '../../live.ts'
import type { Queryable, Tx } from '../../platform/db/database.ts'
import { fail, notFound } from '../../platform/errors.ts'
import type { Actor } from '../../platform/http/route.ts'
import { isLanguage, type Language } from '../../platform/http/viewer-preferences.ts'
import { withQueue } from '../queue/index.ts'
import {
  insertCompany,
  selectCompany,
  selectCountry,
  selectMessagingFlag,
  updateCompanyName,
  updateCompanyRow,
  updateMessagingFlag,
  updateOutsideTransfersFlag,
} from './queries.ts'
import { type Company, CompanyCreate, type CompanyUpdate } from './schemas.ts'

export async function readCompany(sql: Queryable, actor: Actor): Promise<Company> {
  return (await selectCompany(sql, actor.companyId)) ?? fail(notFound())
}

export async function updateCompany(tx: Tx, actor: Actor, input: CompanyUpdate): Promise<Company> {
  const update = (tx: Tx) => updateCompanyRow(tx, actor.companyId, input)
  // Sessions without the newly required second factor lose their phones.
  const row = await (input.requires_two_factor ? withQueue(tx, actor.companyId, update) : update(tx))
  return row ?? fail(notFound())
}

/** Not with the other details: the contract of their route has no name, and clients send back what they have read. */
export async function renameCompany(tx: Tx, actor: Actor, name: string): Promise<Company> {
  return (await updateCompanyName(tx, actor.companyId, name)) ?? fail(notFound())
}

/** The country of national phone numbers. */
export async function companyCountry(sql: Queryable, companyId: string): Promise<string> {
  return (await selectCountry(sql, companyId)) ?? fail(notFound())
}

/** The language of e-mails to its employees: that of the country, if we support it. */
export async function companyLanguage(sql: Queryable, companyId: string): Promise<Language> {
  const { language } = new Intl.Locale(`und-${await companyCountry(sql, companyId)}`).maximize()
  return isLanguage(language) ? language : 'en'
}

/** Throws if the company does not exist. */
export async function requireCompany(sql: Queryable, companyId: string): Promise<void> {
  await companyCountry(sql, companyId)
}

export async function createCompany(tx: Tx, input: z.input<typeof CompanyCreate>): Promise<{ id: string }> {
  return { id: await insertCompany(tx, CompanyCreate.parse(input)) }
}

/** Texts of the meantime appear or disappear, so clients read the inbox again. */
export async function setMessaging(tx: Tx, companyId: string, enabled: boolean): Promise<void> {
  if (!(await updateMessagingFlag(tx, companyId, enabled))) throw notFound()
  await publishToCompany(tx, companyId, { type: 'unseen_update' })
}

/** Whether phones may transfer customers to numbers outside the company. */
export async function setOutsideTransfers(tx: Tx, companyId: string, enabled: boolean): Promise<void> {
  if (!(await updateOutsideTransfersFlag(tx, companyId, enabled))) throw notFound()
}

/** Everything about texting behaves as if it did not exist until the operator switches it on. */
export const requireMessaging =
  ({ sql }: { sql: Queryable }) =>
  async ({ companyId }: Actor): Promise<void> => {
    if (!(await selectMessagingFlag(sql, companyId))) throw notFound()
  }

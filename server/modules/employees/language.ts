import type { Queryable } from '../../platform/db/database.ts'
import type { Actor } from '../../platform/http/route.ts'
import { isLanguage, type Language } from '../../platform/http/viewer-preferences.ts'
import { companyLanguage } from '../company/index.ts'
import { selectLanguage } from './queries.ts'

/** The language that the employee has last used Bellhop in; undefined if they have not yet. */
export async function usedLanguage(sql: Queryable, actor: Actor): Promise<Language | undefined> {
  const language = (await selectLanguage(sql, actor)) ?? undefined
  // A later version may have stored one that this one does not know.
  return isLanguage(language) ? language : undefined
}

/** The language in which to write to the employee: their own or, before it is known, that of the company's country. */
export async function languageFor(sql: Queryable, actor: Actor): Promise<Language> {
  return (await usedLanguage(sql, actor)) ?? companyLanguage(sql, actor.companyId)
}

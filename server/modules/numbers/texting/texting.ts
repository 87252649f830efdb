import type { Queryable } from '../../../platform/db/database.ts'
import { isOpen } from '../hours/is-open.ts'
import { type NumberRow, selectNumber, selectNumberThatReceives } from '../queries.ts'
import { selectTextingSettings } from './texting-settings-queries.ts'

/** A business number as texting sees it. */
export interface TextingNumber {
  companyId: string
  id: string
  number: string
  /** Now: the number can, and the company may. */
  canSend: boolean
  isOpen(at: Date): boolean
}

export async function findTextingNumber(
  sql: Queryable,
  companyId: string,
  id: string,
): Promise<TextingNumber | undefined> {
  const row = await selectNumber(sql, companyId, id)
  return row && present(companyId, row)
}

/** The business number of an incoming text; undefined unless it has texting. */
export async function findNumberThatReceives(
  sql: Queryable,
  number: string,
): Promise<TextingNumber | undefined> {
  const row = await selectNumberThatReceives(sql, number)
  return row && present(row.company_id, row)
}

function present(companyId: string, row: NumberRow): TextingNumber {
  return {
    companyId,
    id: row.id,
    number: row.number,
    canSend: row.sms_capable && row.messaging_enabled,
    isOpen: (at) => isOpen(row.business_hours, row.timezone, at),
  }
}

export interface AutoReply {
  text: string
  cooldownMinutes: number
}

/** The automatic reply of the number outside its hours; undefined if there is none. */
export async function findAutoReply(
  sql: Queryable,
  companyId: string,
  numberId: string,
): Promise<AutoReply | undefined> {
  const settings = await selectTextingSettings(sql, companyId, numberId)
  if (!settings?.auto_reply_enabled || settings.auto_reply_text === null) return undefined
  return { text: settings.auto_reply_text, cooldownMinutes: settings.auto_reply_cooldown_minutes }
}

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

/** The business number of an incoming text; undefined unless it has texting and is in service. */
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
    canSend: canSend(row),
    isOpen: (at) => isOpen(row.business_hours, row.timezone, at),
  }
}

type Capability = Pick<NumberRow, 'sms_capable' | 'messaging_enabled' | 'retired_at'>

/** Whether the number can receive texts, whatever the company may do. */
export const canReceive = ({ sms_capable, retired_at }: Capability) => sms_capable && retired_at === null

/** Whether the number can send texts, and the company may. */
export const canSend = (number: Capability) => canReceive(number) && number.messaging_enabled

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

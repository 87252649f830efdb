import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { fail, fieldError, notFound } from '../../../platform/errors.ts'
import type { Actor } from '../../../platform/http/route.ts'
import { lockNumber, selectNumber } from '../queries.ts'
import { selectTextingSettings, upsertTextingSettings } from './texting-settings-queries.ts'
import {
  TEXTING_DEFAULTS,
  type TextingSettings,
  type TextingSettingsUpdate,
} from './texting-settings-schemas.ts'
import { canSend } from './texting.ts'

export async function readTextingSettings(
  sql: Queryable,
  actor: Actor,
  numberId: string,
): Promise<TextingSettings> {
  if (!(await selectNumber(sql, actor.companyId, numberId))) throw notFound()
  return (await selectTextingSettings(sql, actor.companyId, numberId)) ?? TEXTING_DEFAULTS
}

export async function updateTextingSettings(
  tx: Tx,
  actor: Actor,
  numberId: string,
  input: TextingSettingsUpdate,
): Promise<TextingSettings> {
  const number = (await lockNumber(tx, actor.companyId, numberId)) ?? fail(notFound())
  if (input.auto_reply_enabled && !canSend(number))
    throw fieldError('auto_reply_enabled', 'needs a number that can send texts')
  const saved = (await selectTextingSettings(tx, actor.companyId, numberId)) ?? TEXTING_DEFAULTS
  const settings = { ...saved, ...input }
  if (settings.auto_reply_enabled && settings.auto_reply_text === null) {
    throw fieldError('auto_reply_text', "can't be blank while the auto-reply is on")
  }
  await upsertTextingSettings(tx, actor.companyId, numberId, settings)
  return settings
}

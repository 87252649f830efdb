import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { fail, fieldError, notFound } from '../../../platform/errors.ts'
import type { Actor } from '../../../platform/http/route.ts'
import { lockNumber, selectNumber } from '../queries.ts'
import { selectTextingSettings, upsertTextingSettings } from './texting-settings-queries.ts'
import type { TextingSettings, TextingSettingsUpdate } from './texting-settings-schemas.ts'

const DEFAULTS: TextingSettings = {
  auto_reply_enabled: false,
  auto_reply_text: null,
  auto_reply_cooldown_minutes: 1_440,
}

export async function readTextingSettings(
  sql: Queryable,
  actor: Actor,
  numberId: string,
): Promise<TextingSettings> {
  if (!(await selectNumber(sql, actor.companyId, numberId))) throw notFound()
  return (await selectTextingSettings(sql, actor.companyId, numberId)) ?? DEFAULTS
}

export async function updateTextingSettings(
  tx: Tx,
  actor: Actor,
  numberId: string,
  input: TextingSettingsUpdate,
): Promise<TextingSettings> {
  if (!(await lockNumber(tx, actor.companyId, numberId))) fail(notFound())
  const saved = (await selectTextingSettings(tx, actor.companyId, numberId)) ?? DEFAULTS
  const settings = { ...saved, ...input }
  if (settings.auto_reply_enabled && settings.auto_reply_text === null) {
    throw fieldError('auto_reply_text', "can't be blank while the auto-reply is on")
  }
  await upsertTextingSettings(tx, actor.companyId, numberId, settings)
  return settings
}

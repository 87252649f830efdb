import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { fail, notFound } from '../../../platform/errors.ts'
import type { Actor } from '../../../platform/http/route.ts'
import { enqueuePrompts } from '../prompts/prompts.ts'
import { lockNumber, selectNumber, updateRecordingNotice } from '../queries.ts'
import { recordingAnnouncement } from './announcement-texts.ts'
import type { RecordingNoticeSettings, RecordingNoticeUpdate } from './recording-notice-schemas.ts'

export async function readRecordingNotice(
  sql: Queryable,
  { companyId }: Actor,
  numberId: string,
): Promise<RecordingNoticeSettings> {
  const { recording_notice, language } = (await selectNumber(sql, companyId, numberId)) ?? fail(notFound())
  return { notice: recording_notice, announcement: recordingAnnouncement(language) }
}

export async function setRecordingNotice(
  tx: Tx,
  actor: Actor,
  numberId: string,
  { notice }: RecordingNoticeUpdate,
): Promise<RecordingNoticeSettings> {
  const number = (await lockNumber(tx, actor.companyId, numberId)) ?? fail(notFound())
  await updateRecordingNotice(tx, actor.companyId, numberId, notice)
  await enqueuePrompts(tx, actor.companyId, { ...number, recording_notice: notice })
  return readRecordingNotice(tx, actor, numberId)
}

import { z } from 'zod'

import type { Database } from '../../../platform/db/database.ts'
import { type Route, route } from '../../../platform/http/route.ts'
import { Id } from '../../../platform/ids.ts'
import { RecordingNoticeSettings, RecordingNoticeUpdate } from './recording-notice-schemas.ts'
import { readRecordingNotice, setRecordingNotice } from './recording-notice.ts'

const params = z.object({ id: Id('num') })
const path = '/business_numbers/:id/recording_notice'

export const recordingNoticeRoutes = ({ db }: { db: Database }): Route[] => [
  route(
    {
      method: 'GET',
      path,
      name: 'get_recording_notice',
      summary: 'Read how people learn that calls of a business number are recorded',
      toolSet: 'administration',
      params,
      reply: { 200: RecordingNoticeSettings },
    },
    ({ actor, params }) => readRecordingNotice(db.sql, actor, params.id),
  ),
  route(
    {
      method: 'PUT',
      path,
      name: 'set_recording_notice',
      summary: 'Set how people learn that calls of a business number are recorded',
      toolSet: 'administration',
      params,
      body: RecordingNoticeUpdate,
      example: { notice: 'announcement' },
      reply: { 200: RecordingNoticeSettings },
    },
    ({ actor, params, body }) => db.tx((tx) => setRecordingNotice(tx, actor, params.id, body)),
  ),
]

import { z } from 'zod'

import type { Database, Tx } from '../../../platform/db/database.ts'
import { enqueue, enqueuing, handleJob, type JobHandler, jobKind } from '../../../platform/jobs/job.ts'
import { CALL_LIMITS } from '../limits.ts'
import { recordCallEvent } from '../record/events.ts'
import type { CallRef } from './call-ref.ts'
import { updateAwaitsNoVoicemail } from './queries.ts'

/** Stops waiting for a voicemail that never arrived. The previous release enqueues and runs it under this name. */
const giveUpVoicemail = jobKind(
  'live_calls.give_up_voicemail',
  z.object({ companyId: z.uuid(), callId: z.uuid() }),
)

/** The call ended while a voicemail was being recorded, which is not stored yet and may turn out to be too short. */
export async function awaitVoicemail(tx: Tx, ref: CallRef, endedAt: Date): Promise<void> {
  await enqueue(tx, giveUpVoicemail, ref, { runAt: givenUpAt(endedAt) })
}

/** The same as a part of the statement that ends it. */
export const awaitingVoicemail = (tx: Tx, ref: CallRef, endedAt: Date) =>
  enqueuing(tx, giveUpVoicemail, ref, { runAt: givenUpAt(endedAt) })

const givenUpAt = (endedAt: Date) => new Date(endedAt.getTime() + CALL_LIMITS.awaitedVoicemailMs)

/** No voicemail will come. Publishes `call.lost` once, and never for a call whose voicemail was stored. */
export async function ruleOutVoicemail(tx: Tx, { companyId, callId }: CallRef): Promise<void> {
  if (await updateAwaitsNoVoicemail(tx, companyId, callId))
    await recordCallEvent(tx, companyId, 'call.lost', callId)
}

export const voicemailJobs = ({ db }: { db: Database }): JobHandler[] => [
  handleJob(giveUpVoicemail, (ref) => db.tx((tx) => ruleOutVoicemail(tx, ref))),
]

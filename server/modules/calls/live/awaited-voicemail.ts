import { z } from 'zod'

import type { Database, Tx } from '../../../platform/db/database.ts'
import { enqueue, handleJob, type JobHandler, jobKind } from '../../../platform/jobs/job.ts'
import { CALL_LIMITS } from '../limits.ts'
import { recordCallEvent } from '../record/events.ts'
import type { CallRef } from './call-ref.ts'
import { updateAwaitsNoVoicemail } from './queries.ts'

/** Gives up a voicemail that nobody has found. The name stays: the release before enqueues and runs it under this one. */
const giveUpVoicemail = jobKind(
  'live_calls.give_up_voicemail',
  z.object({ companyId: z.uuid(), callId: z.uuid() }),
)

/** A voicemail was being left when the call ended, and is yet to be kept, or found to be none. */
export async function awaitVoicemail(tx: Tx, ref: CallRef, endedAt: Date): Promise<void> {
  const runAt = new Date(endedAt.getTime() + CALL_LIMITS.awaitedVoicemailMs)
  await enqueue(tx, giveUpVoicemail, ref, { runAt })
}

/** There is none to await any more. Told of once, and not at all where one was kept. */
export async function ruleOutVoicemail(tx: Tx, { companyId, callId }: CallRef): Promise<void> {
  if (await updateAwaitsNoVoicemail(tx, companyId, callId))
    await recordCallEvent(tx, companyId, 'call.lost', callId)
}

export const voicemailJobs = ({ db }: { db: Database }): JobHandler[] => [
  handleJob(giveUpVoicemail, (ref) => db.tx((tx) => ruleOutVoicemail(tx, ref))),
]

import { AppError, fail, notFound } from '../../../platform/errors.ts'
import type { Actor } from '../../../platform/http/route.ts'
import { publishCall } from '../live/live-calls.ts'
import { type CallParts, readCall } from '../record/calls.ts'
import type { Call } from '../schemas.ts'
import { lockWrapUp, updateWrapUp } from './queries.ts'
import type { WrapUpUpdate } from './schemas.ts'

/** Replaces the wrap-up of a call; without an outcome and a note, removes it. Everybody may, as everybody reads it. */
export async function setWrapUp(
  parts: Pick<CallParts, 'db' | 'links'>,
  actor: Actor,
  callId: string,
  { outcome, note, previous_updated_at: previous }: WrapUpUpdate,
): Promise<Call> {
  const { companyId, employeeId: authorId } = actor
  await parts.db.tx(async (tx) => {
    const current = (await lockWrapUp(tx, companyId, callId)) ?? fail(notFound())
    if (previous !== undefined && previous?.getTime() !== current.wrapped_up_at?.getTime())
      throw wrapUpChanged()
    await updateWrapUp(tx, companyId, callId, { outcome, note, authorId })
    await publishCall(tx, { companyId, callId })
  })
  return readCall(parts, actor, callId)
}

const wrapUpChanged = () =>
  new AppError({
    status: 409,
    code: 'wrap_up_changed',
    message: 'Somebody else has changed it since. Read the call again.',
  })

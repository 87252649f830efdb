import {
  findActiveCall,
  findInternalCallOf,
  openAttendedTransfer,
  transferFailed,
} from '../../modules/calls/index.ts'
import { AppError } from '../../platform/errors.ts'
import { encodeId } from '../../platform/ids.ts'
import type { Conversation } from '../conversation/conversation.ts'
import type { CodeCall, CodeParts, CodeRefusal, DiallingPhone } from './code-call.ts'
import { confirm } from './confirm.ts'

const NO_CUSTOMER: CodeRefusal = { status: 480, why: 'you have no call with a customer' }
const NOBODY: CodeRefusal = { status: 480, why: 'you consult nobody' }
const NOT_NOW: CodeRefusal = { status: 480, why: 'these calls cannot be merged now' }

/** The customer, the employee who dials, and the coworker whom they consult talk together. */
export async function findCallToMerge(code: CodeParts): Promise<CodeCall | CodeRefusal> {
  const { companyId, employeeId } = code.owner
  const own = await findActiveCall(code.parts.edge.db.sql, companyId, employeeId)
  if (own?.controller_id !== employeeId || own.edge_id === null) return NO_CUSTOMER
  return { id: encodeId('cal', own.id), edgeId: own.edge_id, run: (phone) => merge(code, own.id, phone) }
}

async function merge(
  code: CodeParts,
  callId: string,
  phone: DiallingPhone,
): Promise<CodeRefusal | undefined> {
  const { parts, live, owner } = code
  const conversation = live.conversationOf(callId)
  if (!conversation) return NO_CUSTOMER
  if (!(await conversation.mergeConsulted(owner.employeeId))) {
    const refusal = await mergeInternal(code, callId, conversation)
    if (refusal) return refusal
  }
  await confirm(parts.sounds, phone)
  return undefined
}

/** The employee consults the coworker in a call of its own, as desk phones do. */
async function mergeInternal(
  { parts: { edge, store, writes }, live, owner }: CodeParts,
  callId: string,
  conversation: Conversation,
): Promise<CodeRefusal | undefined> {
  const { companyId, employeeId } = owner
  // The answer of one at this edge may not be stored yet.
  const internalCallId =
    live.internalCallWith(employeeId) ?? (await findInternalCallOf(edge.db.sql, companyId, employeeId))
  if (internalCallId === undefined) return NOBODY
  try {
    const opened = await writes.tx((tx) => openAttendedTransfer(tx, owner, callId, internalCallId))
    if (await conversation.mergeInternal({ internalCallId, ...opened })) return undefined
    await store((tx) => transferFailed(tx, { ...opened, companyId, callId, fromEmployeeId: employeeId }))
    return NOT_NOW
  } catch (error) {
    if (error instanceof AppError) return NOT_NOW
    throw error
  }
}

import { findActiveCall, findCallInSlot, openParking, callNotParkedAtAll } from '../../modules/calls/index.ts'
import { findEmployee } from '../../modules/employees/index.ts'
import { AppError } from '../../platform/errors.ts'
import { encodeId } from '../../platform/ids.ts'
import {
  type CodeCall,
  type CodeParts,
  type CodeRefusal,
  type DiallingPhone,
  ON_A_CALL,
} from './code-call.ts'
import { confirm } from './confirm.ts'

const NOT_PARKED: CodeRefusal = { status: 404, why: 'no call is parked there' }
const NOT_NOW: CodeRefusal = { status: 480, why: 'that call cannot be parked now' }

/** Takes the call that is parked in the slot. If it is empty, the employee's own call, which is on hold, is parked there. */
export async function findCallForSlot(code: CodeParts, slot: number): Promise<CodeCall | CodeRefusal> {
  const { companyId, employeeId } = code.owner
  const { sql } = code.parts.edge.db
  const own = await findActiveCall(sql, companyId, employeeId)
  const parked = await findCallInSlot(sql, companyId, slot)
  if (!parked) {
    if (own?.controller_id !== employeeId || own.edge_id === null) return NOT_PARKED
    const callId = own.id
    return {
      id: encodeId('cal', callId),
      edgeId: own.edge_id,
      run: (phone) => park(code, { callId, slot }, phone),
    }
  }
  const callId = parked.call_id
  // Their phones may be ringing for the very call.
  const status = (await findEmployee(sql, companyId, employeeId))?.status
  if (status === 'on_call' && own?.id !== callId) return ON_A_CALL
  if (parked.edge_id === null) return NOT_PARKED
  return {
    id: encodeId('cal', callId),
    edgeId: parked.edge_id,
    run: (phone) => retrieve(code, callId, phone),
  }
}

async function retrieve(
  { live, owner: { employeeId } }: CodeParts,
  callId: string,
  { leg, accept }: DiallingPhone,
): Promise<CodeRefusal | undefined> {
  const isTaken = await live.conversationOf(callId)?.takeParked({ employeeId, leg }, accept)
  return isTaken ? undefined : NOT_PARKED
}

/** The phone that dialled hears a beep. The other one, with the customer, is hung up. */
async function park(
  { parts, live, owner }: CodeParts,
  { callId, slot }: { callId: string; slot: number },
  phone: DiallingPhone,
): Promise<CodeRefusal | undefined> {
  const { sounds, store, writes } = parts
  try {
    await writes.tx((tx) => openParking(tx, owner, callId, slot))
  } catch (error) {
    if (error instanceof AppError) return NOT_NOW
    throw error
  }
  if (!(await live.conversationOf(callId)?.park())) {
    await store((tx) => callNotParkedAtAll(tx, { companyId: owner.companyId, callId }))
    return NOT_NOW
  }
  await confirm(sounds, phone)
  return undefined
}

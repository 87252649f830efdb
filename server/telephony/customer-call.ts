import { rm } from 'node:fs/promises'

import { recordingStored } from '../modules/calls/index.ts'
import { endCall } from '../modules/live-calls/index.ts'
import type { Tx } from '../platform/db/database.ts'
import { Conversation, type ConversationEnd, type Party } from './conversation.ts'
import type { LiveCalls } from './live-calls.ts'
import type { ControlParts, CustomerCall } from './parts.ts'
import { keepRecording, recordConversation } from './recording.ts'
import type { Recording } from './sounds.ts'

/** The customer and an employee talk until one hangs up; recorded where the number wants it. */
export async function converse(
  parts: ControlParts,
  live: LiveCalls,
  call: CustomerCall,
  employee: Party,
  answered: (tx: Tx, at: Date) => Promise<void>,
): Promise<ConversationEnd> {
  const { exchange } = parts
  const { ref, number, customer } = call
  const at = exchange.clock.now()
  const conversation = new Conversation(parts, call, employee)
  const done = live.converses(ref, conversation)
  let recording: Recording | undefined
  try {
    if (number.recording_enabled && !customer.isOver)
      recording = await recordConversation(parts, ref.callId, customer)
    // They hear each other at once; what is written of it follows.
    void conversation.begin((tx) => answered(tx, at)).catch(() => {})
    return await conversation.over
  } finally {
    done()
    // Also when the customer was gone before the conversation could begin.
    employee.leg.hangUp()
    if (recording) await keep(parts, call, recording, at)
  }
}

async function keep(
  parts: ControlParts,
  { ref }: CustomerCall,
  recording: Recording,
  startedAt: Date,
): Promise<void> {
  recording.stop()
  const { file, durationMs } = await recording.ended
  if (durationMs === 0) return rm(file, { force: true })
  const key = await keepRecording(parts, file, `recordings/${ref.companyId}/${ref.callId}.wav`)
  if (key) await parts.store((tx) => recordingStored(tx, ref.companyId, ref.callId, { key, startedAt }))
}

/** Whatever becomes of a call, it ends: at its parties, and in the database. */
export async function endWith(
  { exchange, store }: ControlParts,
  { ref, customer }: CustomerCall,
  run: () => Promise<string>,
): Promise<void> {
  let endedAt: Date | undefined
  void customer.ended.then(() => (endedAt = exchange.clock.now()))
  let reason = 'failed'
  try {
    reason = await run()
  } catch (err) {
    exchange.log.error({ err, call: ref.callId }, 'a call is ended: it failed')
  }
  endedAt ??= exchange.clock.now()
  customer.hangUp()
  const at = endedAt
  await store((tx) => endCall(tx, ref, at, reason)).catch((err: unknown) => {
    exchange.log.error({ err, call: ref.callId }, 'the end of a call could not be written down')
  })
}

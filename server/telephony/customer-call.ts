import { rm } from 'node:fs/promises'

import { endCall } from '../modules/live-calls/index.ts'
import type { Tx } from '../platform/db/database.ts'
import { Conversation, type ConversationEnd, type Party } from './conversation.ts'
import type { Leg } from './leg.ts'
import { LIMITS } from './limits.ts'
import type { LiveCalls } from './live-calls.ts'
import type { ControlParts, CustomerCall } from './parts.ts'
import { keepSound } from './recording.ts'
import type { Recording } from './sounds.ts'
import { type Spooled, spooled } from './spool.ts'

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
  const spool = spooled(exchange.spoolDir, 'recording', ref)
  let recording: Recording | undefined
  try {
    if (number.recording_enabled && !customer.isOver) recording = await record(parts, customer, spool)
    // They hear each other at once; what is written of it follows.
    void conversation.begin((tx) => answered(tx, at)).catch(() => {})
    return await conversation.over
  } finally {
    done()
    // Also when the customer was gone before the conversation could begin.
    employee.leg.hangUp()
    if (recording) await keep(parts, spool, recording, at)
  }
}

/** What the customer says on the left, and what is said to them on the right; through transfers too. */
function record({ sounds }: ControlParts, customer: Leg, { file }: Spooled): Promise<Recording> {
  return sounds.record(customer.sound, { file, channels: 2, maxMs: LIMITS.recordingMaxMs })
}

async function keep(
  { exchange, store }: ControlParts,
  spool: Spooled,
  recording: Recording,
  startedAt: Date,
): Promise<void> {
  recording.stop()
  const { file, durationMs } = await recording.ended
  if (durationMs === 0) return rm(file, { force: true })
  await keepSound({ ...exchange, store }, spool, startedAt)
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

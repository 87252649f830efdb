import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

import type { Leg } from './leg.ts'
import { LIMITS } from './limits.ts'
import type { ControlParts } from './parts.ts'
import type { Recording } from './sounds.ts'

/** What the customer says on the left, and what is said to them on the right; through transfers too. */
export function recordConversation(
  { exchange, sounds }: ControlParts,
  callId: string,
  customer: Leg,
): Promise<Recording> {
  const file = join(exchange.spoolDir, `${callId}.wav`)
  return sounds.record(customer.sound, { file, channels: 2, maxMs: LIMITS.recordingMaxMs })
}

/** Puts a finished recording where it is kept, and says under which key. Undefined when it could not be. */
export async function keepRecording(
  { exchange }: ControlParts,
  file: string,
  key: string,
): Promise<string | undefined> {
  try {
    await exchange.storage.put(key, await readFile(file))
    await rm(file, { force: true })
    return key
  } catch (err) {
    exchange.log.error({ err, file }, 'a recording could not be kept; its file stays where it is')
    return undefined
  }
}

import { createHash } from 'node:crypto'

import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { enqueue } from '../../../platform/jobs/job.ts'
import { removeFile } from '../../files/index.ts'
import { textsOf } from '../flow/call-flow.ts'
import { speakPrompt } from '../jobs.ts'
import type { NumberRow } from '../queries.ts'
import { deleteOtherPrompts, insertMissingPrompts, selectSpokenPrompts } from './prompt-queries.ts'

/** Identifies a text in a language: its audio is synthesised again only if either changes. */
export function digestOf(language: string, text: string): string {
  return createHash('sha256').update(`${language}\n${text}`).digest('hex')
}

/** Enqueues the synthesis of new texts in the number's call flows, and deletes prompts that are no longer used. */
export async function enqueuePrompts(tx: Tx, companyId: string, number: NumberRow): Promise<void> {
  const prompts = textsSpoken(number).map((text) => ({ text, digest: digestOf(number.language, text) }))
  const digests = prompts.map(({ digest }) => digest)
  for (const { audio_key } of await deleteOtherPrompts(tx, companyId, number.id, digests)) {
    if (audio_key) await enqueue(tx, removeFile, { key: audio_key })
  }
  for (const { digest } of await insertMissingPrompts(tx, companyId, number.id, number.language, prompts)) {
    await enqueue(tx, speakPrompt, { companyId, numberId: number.id, digest })
  }
}

function textsSpoken(number: NumberRow): string[] {
  const flows = [number.incoming_call_config, number.outside_business_hours_config, number.no_answer_config]
  return [...new Set(flows.flatMap((flow) => (flow ? textsOf(flow) : [])))]
}

/** The stored audio of a text; null while it is being synthesised. */
export type AudioOf = (text: string) => string | null

export async function audioOfNumber(sql: Queryable, companyId: string, number: NumberRow): Promise<AudioOf> {
  const rows = await selectSpokenPrompts(sql, companyId, number.id)
  const keys = new Map(rows.map(({ digest, audio_key }) => [digest, audio_key]))
  return (text) => keys.get(digestOf(number.language, text)) ?? null
}

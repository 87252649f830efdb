import { createHash } from 'node:crypto'

import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { enqueue } from '../../../platform/jobs/job.ts'
import { removeFile } from '../../files/index.ts'
import { type FlowPrompt, promptsOf } from '../flow/call-flow.ts'
import { speakAnnouncement, speakDefaults, speakPrompt } from '../jobs.ts'
import type { NumberRow } from '../queries.ts'
import {
  deleteOtherPlaces,
  deleteOtherPrompts,
  insertMissingPrompts,
  selectSpokenPrompts,
  upsertReadyPlaces,
} from './prompt-queries.ts'

/** Identifies a text in a language: its audio is synthesised again only if either changes. */
export function digestOf(language: string, text: string): string {
  return createHash('sha256').update(`${language}\n${text}`).digest('hex')
}

/** Enqueues the synthesis of new texts in the number's call flows, and deletes prompts that are no longer used. */
export async function enqueuePrompts(tx: Tx, companyId: string, number: NumberRow): Promise<void> {
  const { id: numberId, language } = number
  const prompts = [...new Map(promptsOfNumber(number).map((each) => [each.digest, each])).values()]
  const missing = await insertMissingPrompts(tx, companyId, numberId, language, prompts)
  for (const { digest } of missing) await enqueue(tx, speakPrompt, { companyId, numberId, digest })
  // Last: it is stored already, unless this is the first number of the installation in its language.
  if (missing.length > 0) await enqueue(tx, speakDefaults, { language })
  if (number.recording_notice === 'announcement') await enqueue(tx, speakAnnouncement, { language })
  await settlePrompts(tx, companyId, number)
}

/** Until a new text has audio, its place falls back on the last one: so that one is kept as long. */
export async function settlePrompts(tx: Tx, companyId: string, number: NumberRow): Promise<void> {
  const prompts = promptsOfNumber(number)
  const { id: numberId } = number
  await keepReadyPrompts(tx, companyId, number)
  await deleteOtherPlaces(
    tx,
    companyId,
    numberId,
    prompts.map(({ place }) => place),
  )
  const digests = prompts.map(({ digest }) => digest)
  for (const { audio_key } of await deleteOtherPrompts(tx, companyId, numberId, digests)) {
    if (audio_key) await enqueue(tx, removeFile, { key: audio_key })
  }
}

/** Must be called before the texts or the language of a number change. */
export async function keepReadyPrompts(tx: Tx, companyId: string, number: NumberRow): Promise<void> {
  await upsertReadyPlaces(tx, companyId, number.id, promptsOfNumber(number))
}

type NumberPrompt = Omit<FlowPrompt, 'field'> & { digest: string }

/** Every text that the number speaks, with its place in all call flows. */
export function promptsOfNumber(number: NumberRow): NumberPrompt[] {
  const flows = [
    ['incoming', number.incoming_call_config],
    ['outside hours', number.outside_business_hours_config],
    ['no answer', number.no_answer_config],
  ] as const
  return flows.flatMap(([slot, flow]) =>
    (flow ? promptsOf(flow) : []).map(({ place, text }) => ({
      place: `${slot} ${place}`,
      text,
      digest: digestOf(number.language, text),
    })),
  )
}

/** The stored audio of a text; null while it is being synthesised. */
export type AudioOf = (text: string) => string | null

export async function audioOfNumber(sql: Queryable, companyId: string, number: NumberRow): Promise<AudioOf> {
  const rows = await selectSpokenPrompts(sql, companyId, number.id)
  const keys = new Map(rows.map(({ digest, audio_key }) => [digest, audio_key]))
  return (text) => keys.get(digestOf(number.language, text)) ?? null
}

import type { Queryable } from '../../../platform/db/database.ts'
import { isOpen } from '../hours/is-open.ts'
import { defaultAudioKey, speakDefaultAudio } from '../prompts/default-audio.ts'
import type { PromptCache } from '../prompts/prompt-cache.ts'
import { selectAudioKey } from '../prompts/prompt-queries.ts'
import { digestOf, promptsOfNumber } from '../prompts/prompts.ts'
import { type NumberRow, selectNumberCalled, selectNumberOf } from '../queries.ts'
import type { StoredFlow } from './call-flow.ts'

/** A number as needed for a call to it. */
export interface CalledNumber extends NumberRow {
  company_id: string
  country: string
  /** What emergency services see instead of the number. */
  emergency_caller_id: string | null
  /** For `unchangedNumber`. */
  version: string
}

/** The first of these that is a business number in service; each has a plus if it is surely international. */
export async function findNumberCalled(sql: Queryable, meant: string[]): Promise<CalledNumber | undefined> {
  for (const text of meant) {
    const found = await selectNumberCalled(sql, text)
    if (found) return found
  }
  return undefined
}

/** The number that an outbound call shows; undefined if it is not the company's, or out of service. */
export function findOwnNumber(
  sql: Queryable,
  companyId: string,
  number: { id: string } | { e164: string },
): Promise<CalledNumber | undefined> {
  return selectNumberOf(sql, companyId, number)
}

const isOpenNow = ({ business_hours, timezone }: NumberRow, at: Date): boolean =>
  isOpen(business_hours, timezone, at)

/** The call flow that applies at this time, or during or outside business hours. */
export function flowAt(
  number: NumberRow,
  at: Date | 'open' | 'closed',
): { flow: StoredFlow; outsideHours: boolean } {
  const outsideHours = at instanceof Date ? !isOpenNow(number, at) : at === 'closed'
  const own = outsideHours ? number.outside_business_hours_config : null
  return { flow: own ?? number.incoming_call_config, outsideHours }
}

/**
 * The audio of a prompt. While it is being synthesised: the last audio that was ready in its place, else the default
 * greeting; undefined if not even that is ready.
 */
export async function readPrompt(
  sql: Queryable,
  prompts: PromptCache,
  number: CalledNumber,
  text: string,
): Promise<Buffer | undefined> {
  const known = finalKeys.get(number)?.get(text)
  if (known) return prompts.read(known)
  const { key, isFinal, isDefault } = await audioKeyOf(sql, number, text)
  if (isDefault) return prompts.readDefault(key)
  if (isFinal) rememberKey(number, text, key)
  return prompts.read(key)
}

/** Where the audio of a prompt is stored; while it is being synthesised, what callers hear in its place. */
export async function audioKeyOf(
  sql: Queryable,
  number: NumberRow & { company_id: string },
  text: string,
): Promise<{ key: string; isFinal: boolean; isDefault: boolean }> {
  const places = promptsOfNumber(number).filter((prompt) => prompt.text === text)
  const audio = await selectAudioKey(sql, number.company_id, number.id, {
    digest: digestOf(number.language, text),
    places: places.map(({ place }) => place),
  })
  if (audio) return { key: audio.audio_key, isFinal: audio.is_final, isDefault: false }
  const key = defaultAudioKey(number.language, isVoicemail(number, text))
  return { key, isFinal: false, isDefault: true }
}

/** The audio of prompts, by their texts, of numbers that are in memory: it does not change while the number does not. */
const finalKeys = new WeakMap<CalledNumber, Map<string, string>>()

function rememberKey(number: CalledNumber, text: string, key: string): void {
  finalKeys.set(number, (finalKeys.get(number) ?? new Map<string, string>()).set(text, key))
}

/** The default greeting, synthesised now. For the first calls of an installation in a language. */
export function speakStandIn(
  parts: Parameters<typeof speakDefaultAudio>[0],
  number: NumberRow,
  text: string,
): Promise<Buffer> {
  return speakDefaultAudio(parts, number.language, isVoicemail(number, text))
}

const isVoicemail = (number: NumberRow, text: string): boolean =>
  promptsOfNumber(number).some((prompt) => prompt.text === text && prompt.place.includes('VoicemailConfig'))

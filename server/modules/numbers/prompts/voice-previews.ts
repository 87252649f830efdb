import { buffer } from 'node:stream/consumers'

import { z } from 'zod'

import type { Tx } from '../../../platform/db/database.ts'
import type { Dependencies } from '../../../platform/dependencies.ts'
import { AppError, fail, fieldErrors, notFound } from '../../../platform/errors.ts'
import type { Actor } from '../../../platform/http/route.ts'
import { encodeId } from '../../../platform/ids.ts'
import { enqueue } from '../../../platform/jobs/job.ts'
import { Timestamp } from '../../../platform/schemas.ts'
import type { Storage } from '../../../providers/storage/port.ts'
import { canSay, hasWords, SpeechFailed, type Synthesiser } from '../../../speech/port.ts'
import type { FileLinks } from '../../files/index.ts'
import { SPOKEN_CHARACTERS_MAX, SpokenText } from '../flow/call-flow.ts'
import { expireVoicePreview } from '../jobs.ts'
import { NUMBER_LIMITS } from '../limits.ts'
import { unspeakableIn } from '../locale.ts'
import { type NumberRow, selectNumber } from '../queries.ts'
import { audioOfNumber } from './prompts.ts'
import { countPreviewsSince, deletePreview, insertPreview, lockPreviews } from './voice-preview-queries.ts'

export const VoicePreview = z
  .object({ signed_id: z.string(), audio_url: z.string(), expires_at: Timestamp })
  .meta({ id: 'VoicePreview' })
export type VoicePreview = z.output<typeof VoicePreview>

/** Validated here rather than by the route, because each error has its own code. A body that is no object is empty. */
export const VoicePreviewCreate = z.preprocess(
  (body) => (typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {}),
  z.object({
    kind: z
      .unknown()
      .optional()
      .meta({
        type: 'string',
        enum: ['welcome', 'greeting', 'message', 'prompt'],
        description: 'What the text is for.',
      }),
    text: z.unknown().optional().meta({
      type: 'string',
      maxLength: SPOKEN_CHARACTERS_MAX,
      description: 'What the voice says.',
    }),
  }),
)
const Kind = z.enum(['welcome', 'greeting', 'message', 'prompt'])

export interface PreviewParts extends Dependencies<'db' | 'clock'> {
  speaker: Synthesiser
  storage: Storage
  links: FileLinks
}

/** Somebody is about to hear texts in the voice of the number: its engine is started meanwhile, which takes longest. */
export async function prepareVoice(
  { db, speaker }: Pick<PreviewParts, 'db' | 'speaker'>,
  actor: Actor,
  numberId: string,
): Promise<void> {
  const { language } = (await selectNumber(db.sql, actor.companyId, numberId)) ?? fail(notFound())
  speaker.prepare(language)
}

/** Synthesises a text in the voice and language of the number, as temporary audio. */
export async function createVoicePreview(
  parts: PreviewParts,
  actor: Actor,
  numberId: string,
  input: z.output<typeof VoicePreviewCreate>,
): Promise<VoicePreview> {
  const { db, clock, speaker, storage, links } = parts
  const number = (await selectNumber(db.sql, actor.companyId, numberId)) ?? fail(notFound())
  const { language } = number
  const text = checkInput(input)
  if (!canSay(language, text)) throw refused('validation_failed', 'text', [unspeakableIn(language)])
  const expires_at = new Date(clock.now().getTime() + NUMBER_LIMITS.previewMs)
  const id = await db.tx((tx) => reservePreview(tx, actor.companyId, clock.now(), expires_at))
  const key = fileOf(id)
  const known = await findAudio(parts, actor.companyId, number, text)
  await storage.put(key, known ?? (await speaker.speak({ text, language }).catch(speechFailed)))
  const audio_url = links.to(key, NUMBER_LIMITS.previewMs)
  const signature = new URL(audio_url).searchParams.get('signature')
  return { signed_id: `${encodeId('pre', id)}.${signature}`, audio_url, expires_at }
}

/** What callers hear already: a voice does not say a text twice in the same way. */
async function findAudio(
  { db, storage }: PreviewParts,
  companyId: string,
  number: NumberRow,
  text: string,
): Promise<Buffer | undefined> {
  const key = (await audioOfNumber(db.sql, companyId, number))(text)
  return key !== null && (await storage.size(key)) !== undefined ? buffer(await storage.read(key)) : undefined
}

export async function removeVoicePreview(
  { db, storage }: Pick<PreviewParts, 'db' | 'storage'>,
  companyId: string,
  previewId: string,
): Promise<void> {
  await storage.remove(fileOf(previewId))
  await db.tx((tx) => deletePreview(tx, companyId, previewId))
}

/** Counted under a lock of the company, so that concurrent requests cannot exceed the limit. */
async function reservePreview(tx: Tx, companyId: string, now: Date, expiresAt: Date): Promise<string> {
  await lockPreviews(tx, companyId)
  const lastMinute = await countPreviewsSince(tx, companyId, new Date(now.getTime() - 60_000))
  if (lastMinute >= NUMBER_LIMITS.previewsPerMinute) throw tooManyPreviews()
  const previewId = await insertPreview(tx, companyId, now)
  await enqueue(tx, expireVoicePreview, { companyId, previewId }, { runAt: expiresAt })
  return previewId
}

function checkInput({ kind, text }: z.output<typeof VoicePreviewCreate>): string {
  if (!Kind.safeParse(kind).success)
    throw refused('invalid_kind', 'kind', [`must be one of ${Kind.options.join(', ')}`])
  if (text === undefined || text === null || (typeof text === 'string' && !hasWords(text))) {
    throw refused('blank_text', 'text', ['must have a letter or a digit, or there is nothing to speak'])
  }
  const spoken = SpokenText.safeParse(text)
  if (!spoken.success) throw refused('validation_failed', 'text', fieldErrors(spoken.error).base ?? [])
  return spoken.data
}

const fileOf = (previewId: string) => `previews/${previewId}.wav`

const refused = (code: string, field: string, reasons: string[]) =>
  new AppError({
    status: 422,
    code,
    message: `${field} ${reasons.join(' and ')}.`,
    errors: { [field]: reasons },
    body: { code },
  })

const tooManyPreviews = () =>
  new AppError({
    status: 429,
    code: 'rate_limited',
    message: `At most ${NUMBER_LIMITS.previewsPerMinute} voice previews a minute. Try again in a minute.`,
    headers: { 'retry-after': '60' },
  })

function speechFailed(error: unknown): never {
  if (!(error instanceof SpeechFailed)) throw error
  throw new AppError({
    status: 500,
    code: 'speech_failed',
    message: 'The text could not be synthesised. Try again in a moment, or change the text.',
  })
}

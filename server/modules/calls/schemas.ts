import { z } from 'zod'

import { Id } from '../../platform/ids.ts'
import { ContactName, RemoteNumber, StorableText, Timestamp } from '../../platform/schemas.ts'
import { TranscriptionStatus } from '../transcripts/index.ts'
import { CALL_LIMITS } from './limits.ts'
import { Outcome, WrapUp } from './wrap-up/schemas.ts'

export const DIRECTIONS = ['inbound', 'outbound'] as const
/** What a list of calls may be asked for: internal calls are listed only if they are. */
export const LISTED_DIRECTIONS = [...DIRECTIONS, 'internal'] as const
export const CALL_STATES = [
  'initiated',
  'queued',
  'answered',
  'playing_audio',
  'transferring',
  'recording',
  'bridged',
  'ended',
] as const
export type CallState = (typeof CALL_STATES)[number]

const Participant = z.object({ id: Id('emp'), name: z.string() })

export const TranscriptionSegment = z.object({
  speaker: z.string(),
  text: z.string(),
  employee_id: Id('emp').optional(),
  start_ms: z
    .int()
    .optional()
    .meta({ description: 'Where in the recording it begins. Missing in transcripts of earlier versions.' }),
})

export const Call = z
  .object({
    id: Id('cal'),
    from: RemoteNumber,
    to: RemoteNumber,
    direction: z.enum(DIRECTIONS),
    state: z.enum(CALL_STATES),
    started_at: Timestamp.nullable(),
    answered_at: Timestamp.nullable(),
    duration: z
      .int()
      .nullable()
      .meta({ description: 'Seconds since it was answered; null while in progress.' }),
    summary: z.string().nullable(),
    transcription: z.string().nullable(),
    transcription_segments: z.array(TranscriptionSegment).nullable(),
    transcription_status: TranscriptionStatus,
    contact_name: ContactName,
    wrap_up: WrapUp.nullable(),
    main_number_id: Id('num'),
    main_number_name: z.string(),
    main_number: z.string(),
    main_number_formatted: z.string(),
    recording_url: z.string().nullable().meta({ description: 'Created for this response; it expires.' }),
    employees: z.array(Participant),
    initiated_by: Participant.nullable().optional().meta({ description: 'Outbound calls only.' }),
  })
  .meta({ id: 'Call' })
export type Call = z.output<typeof Call>

/** Anything but a number means the default, and a number out of range is clamped. */
const PageLimit = z
  .string()
  .optional()
  .transform((text) => {
    const wished = text === undefined || text.trim() === '' ? Number.NaN : Math.trunc(Number(text))
    return Number.isNaN(wished) ? CALL_LIMITS.pageDefault : Math.min(Math.max(wished, 1), CALL_LIMITS.pageMax)
  })
  .meta({
    type: 'integer',
    description: `1 to ${CALL_LIMITS.pageMax}, ${CALL_LIMITS.pageDefault} if not given.`,
  })

export const CallFilter = z.object({
  query: StorableText.trim().max(CALL_LIMITS.queryCharacters).optional().meta({
    description:
      'Searches transcriptions, notes and saved caller context, by keyword and by meaning; calls are then in order of relevance.',
  }),
  main_number_id: z.string().optional().meta({ description: 'Only calls of this business number.' }),
  phone_number: z
    .string()
    .optional()
    .meta({ description: "The customer's number, in E.164 or a local format, or what stands in its place." }),
  // The message is that of the contract, which has two.
  direction: z.enum(LISTED_DIRECTIONS, { error: 'must be "inbound" or "outbound"' }).optional().meta({
    description:
      'Towards the company, or from it. Calls between employees are listed only if `internal` is asked for.',
  }),
  state: z.string().optional().meta({ description: 'Such as ended; an unknown one is ignored.' }),
  outcome: Outcome.optional().meta({ description: 'Only calls whose wrap-up has this outcome.' }),
  limit: PageLimit,
  after: z.string().optional().meta({
    description: 'The id of the last call of the previous page; returns the calls after it.',
  }),
})
export type CallFilter = z.output<typeof CallFilter>

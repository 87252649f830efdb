import { expect } from 'vitest'

import type { TestCompany } from '../index.ts'

interface Told {
  event: string
  data: any
}

const before = { answered_at: null, duration: null, summary: null, transcription_segments: null }

/** The expected data of a call's event; `shown` is the call as the API shows it later. */
const SAYS: Record<string, (shown: any, told: any) => object> = {
  'call.initiated': () => ({ ...before, state: 'initiated' }),
  'call.outside_business_hours': () => ({ ...before, state: 'initiated', employees: [] }),
  'call.queued': () => ({ ...before, state: 'queued', employees: [] }),
  'call.answered': ({ answered_at }) => ({ ...before, state: 'answered', answered_at }),
  'call.ended': ended,
  'call.lost': (shown) => ({ ...ended(shown), answered_at: null, duration: 0 }),
  'voicemail.new': ({ id, from, main_number_name, main_number, duration }, { state }) => ({
    state: expect.stringMatching(/^(recording|ended)$/),
    duration: state === 'ended' ? duration : null,
    voicemail: {
      id: expect.not.stringMatching(id),
      from,
      main_number_name,
      main_number_number: main_number,
      transcription: null,
      created_at: expect.any(String),
    },
  }),
}

function ended({ answered_at, duration, employees, state }: any): object {
  expect(state).toBe('ended')
  return { state, answered_at, duration, employees }
}

/** Every call event has all fields of the contract, and agrees with the call as the API shows it. */
export async function expectFullPayload(company: TestCompany, events: Told[]): Promise<void> {
  for (const { event, data } of events) {
    const says = SAYS[event]
    if (!says) continue
    const { status, body: shown } = await company.api.get(`/calls/${data.id}`)
    expect(status, event).toBe(200)
    expect(data, event).toStrictEqual({
      id: shown.id,
      from: shown.from,
      to: shown.to,
      direction: shown.direction,
      started_at: shown.started_at,
      answered_at: shown.answered_at,
      duration: shown.duration,
      // The summary and the transcript follow after the end.
      summary: null,
      transcription: null,
      transcription_segments: null,
      main_number_id: shown.main_number_id,
      main_number_name: shown.main_number_name,
      main_number_number: shown.main_number,
      main_number_number_formatted: shown.main_number_formatted,
      recording_url: event === 'call.ended' ? orNull(shown.recording_url) : null,
      employees: expect.any(Array),
      call_control_id: expect.any(String),
      initiated_by: shown.initiated_by ?? null,
      ...says(shown, data),
    })
  }
}

/** Each link has a new signature, and the recording may appear a moment after the end. */
const orNull = (link: string | null) => (link === null ? null : expect.toSatisfy(isLinkOrNull))
const isLinkOrNull = (value: unknown) => value === null || typeof value === 'string'

import { queryOptions } from '@tanstack/react-query'

import { answerOf, client } from './client.ts'
import type { components, operations } from './schema.ts'

export type BusinessNumber = components['schemas']['BusinessNumber']
export type Flow = BusinessNumber['incoming_call_config']
export type TextingSettings = components['schemas']['TextingSettings']

type BodyOf<Name extends keyof operations> = operations[Name] extends {
  requestBody?: { content: { 'application/json': infer Body } }
}
  ? Body
  : never
export type FlowInput = BodyOf<'set_business_number_incoming_call_config'>
export type OutsideInput = BodyOf<'set_business_number_outside_business_hours_config'>
export type NoAnswerInput = BodyOf<'set_business_number_no_answer_config'>
export type NumberUpdate = BodyOf<'update_business_number'>

export const numbersQuery = () =>
  queryOptions({
    queryKey: ['numbers'],
    queryFn: async () => (await answerOf(client.GET('/api/v1/business_numbers', {}))).main_numbers,
  })

const at = (id: string) => ({ params: { path: { id } } })

export const numberQuery = (id: string) =>
  queryOptions({
    queryKey: ['numbers', id],
    queryFn: () => answerOf(client.GET('/api/v1/business_numbers/{id}', at(id))),
  })

export const updateNumber = (id: string, body: NumberUpdate) =>
  answerOf(client.PATCH('/api/v1/business_numbers/{id}', { ...at(id), body }))

export const setIncoming = (id: string, body: FlowInput) =>
  answerOf(client.PUT('/api/v1/business_numbers/{id}/incoming_call_config', { ...at(id), body }))

/** The types of openapi-fetch take a field that can only be null for one that is read-only, and refuse it. */
const withoutFlow = <Body extends { type: string | null }>(body: Body) =>
  body as Exclude<Body, { type: null }>

export const setOutside = (id: string, body: OutsideInput) =>
  answerOf(
    client.PUT('/api/v1/business_numbers/{id}/outside_business_hours_config', {
      ...at(id),
      body: withoutFlow(body),
    }),
  )

export const setNoAnswer = (id: string, body: NoAnswerInput) =>
  answerOf(
    client.PUT('/api/v1/business_numbers/{id}/no_answer_config', { ...at(id), body: withoutFlow(body) }),
  )

export type RecordingNotice = components['schemas']['RecordingNotice']['notice']

export const recordingNoticeQuery = (id: string) =>
  queryOptions({
    queryKey: ['numbers', id, 'recording-notice'],
    queryFn: () => answerOf(client.GET('/api/v1/business_numbers/{id}/recording_notice', at(id))),
  })

export const setRecordingNotice = (id: string, notice: RecordingNotice) =>
  answerOf(client.PUT('/api/v1/business_numbers/{id}/recording_notice', { ...at(id), body: { notice } }))

export type SpokenKind = 'welcome' | 'greeting' | 'message' | 'prompt'

export const previewVoice = (id: string, body: { kind: SpokenKind; text: string }) =>
  answerOf(client.POST('/api/v1/business_numbers/{id}/voice_previews', { ...at(id), body }))

/** Somebody writes a text: its voice is made ready meanwhile. Whether that worked shows when they listen. */
export const prepareVoice = (id: string): Promise<unknown> =>
  client.POST('/api/v1/business_numbers/{id}/prepare_voice', at(id)).catch(() => undefined)

export type WalkThrough = components['schemas']['WalkThrough']
export type WalkStep = WalkThrough['steps'][number]
export type WalkHours = 'now' | 'open' | 'closed'

/** Asked anew each time: the links to its audio expire, and the number may have changed. */
export const walkThroughQuery = (id: string, when: WalkHours) =>
  queryOptions({
    queryKey: ['numbers', id, 'walk-through', when],
    queryFn: () =>
      answerOf(
        client.GET('/api/v1/business_numbers/{id}/walk_through', {
          params: { path: { id }, query: { when } },
        }),
      ),
    gcTime: 0,
    staleTime: Infinity,
  })

export const textingQuery = (id: string) =>
  queryOptions({
    queryKey: ['texting', id],
    queryFn: () => answerOf(client.GET('/api/v1/business_numbers/{id}/texting_settings', at(id))),
  })

export const updateTexting = (id: string, body: Partial<TextingSettings>) =>
  answerOf(client.PATCH('/api/v1/business_numbers/{id}/texting_settings', { ...at(id), body }))

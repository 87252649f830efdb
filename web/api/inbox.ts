import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

import { answerOf, client } from './client.ts'
import type { components } from './schema.ts'

export type CallItem = components['schemas']['CallItem']
export type VoicemailItem = components['schemas']['VoicemailItem']
export type Message = components['schemas']['Message']
export type ActivityItem = CallItem | VoicemailItem | Message

export interface ThreadFilter {
  query?: string
  business_number_id?: string
  unseen?: boolean
}

/** Whether anybody has called or written yet. */
export const anyThreadQuery = () =>
  queryOptions({
    queryKey: ['inbox', 'any'],
    queryFn: async () =>
      (await answerOf(client.GET('/api/v1/inbox', { params: { query: { limit: 1 } } }))).threads.length > 0,
  })

export const activityQuery = (phone: string) =>
  infiniteQueryOptions({
    queryKey: ['activity', phone],
    queryFn: ({ pageParam }) =>
      answerOf(
        client.GET('/api/v1/inbox/{phone_number}/activity', {
          params: { path: { phone_number: phone }, query: { cursor: pageParam } },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })

export const unseenQuery = () =>
  queryOptions({ queryKey: ['unseen'], queryFn: () => answerOf(client.GET('/api/v1/activity/unseen', {})) })

export const markSeen = ({ phone, through }: { phone: string; through: string }) =>
  answerOf(
    client.POST('/api/v1/inbox/{phone_number}/seen', {
      params: { path: { phone_number: phone } },
      body: { through },
    }),
  )

export const sendMessage = (input: { numberId: string; to: string; text: string; key: string }) =>
  answerOf(
    client.POST('/api/v1/business_numbers/{id}/messages', {
      params: { path: { id: input.numberId } },
      body: { to: input.to, text: input.text, idempotency_key: input.key, format: 'sms' },
    }),
  )

export const retryMessage = ({ id, key }: { id: string; key: string }) =>
  answerOf(
    client.POST('/api/v1/messages/{message_id}/retries', {
      params: { path: { message_id: id } },
      body: { idempotency_key: key },
    }),
  )

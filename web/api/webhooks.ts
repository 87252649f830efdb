import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

import { answerOf, client } from './client.ts'
import type { components, operations } from './schema.ts'

export type Webhook = components['schemas']['Webhook']
export type Delivery = components['schemas']['WebhookDelivery']
type Create = operations['create_webhook']['requestBody']['content']['application/json']
export type EventName = Create['events'][number]

export const webhooksQuery = () =>
  queryOptions({ queryKey: ['webhooks'], queryFn: () => answerOf(client.GET('/api/v1/webhooks', {})) })

const at = (id: string) => ({ params: { path: { id } } })

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', id],
    queryFn: () => answerOf(client.GET('/api/v1/webhooks/{id}', at(id))),
  })

export const createWebhook = (body: Create) => answerOf(client.POST('/api/v1/webhooks', { body }))

export const updateWebhook = (id: string, body: Partial<Create> & { active?: boolean }) =>
  answerOf(client.PATCH('/api/v1/webhooks/{id}', { ...at(id), body }))

export const deleteWebhook = (id: string) => answerOf(client.DELETE('/api/v1/webhooks/{id}', at(id)))

export const rotateSecret = (id: string) =>
  answerOf(client.POST('/api/v1/webhooks/{id}/secret_rotation', at(id)))

export const testWebhook = (id: string) => answerOf(client.POST('/api/v1/webhooks/{id}/test', at(id)))

export const deliveriesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', id, 'deliveries'],
    queryFn: ({ pageParam }) =>
      answerOf(
        client.GET('/api/v1/webhooks/{id}/deliveries', {
          params: { path: { id }, query: { cursor: pageParam } },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })

export const replayDelivery = (id: string, delivery_id: string) =>
  answerOf(
    client.POST('/api/v1/webhooks/{id}/deliveries/{delivery_id}/replay', {
      params: { path: { id, delivery_id } },
    }),
  )

import { z } from 'zod'

import { type Route, route } from '../../platform/http/route.ts'
import { Id } from '../../platform/ids.ts'
import { listDeliveries, replayDelivery, sendTest } from './delivery-log.ts'
import {
  Delivery,
  DeliveryPage,
  DeliveryPageQuery,
  Subscription,
  SubscriptionCreate,
  SubscriptionUpdate,
  SubscriptionWithSecret,
} from './schemas.ts'
import {
  createSubscription,
  deleteSubscription,
  listSubscriptions,
  readSubscription,
  rotateSecret,
  type SubscriptionParts,
  updateSubscription,
} from './subscriptions.ts'

const params = z.object({ id: Id('web') })

const PAUSED = { when: 'The subscription is paused: `webhook_paused`.' }

export const webhookRoutes = (parts: SubscriptionParts): Route[] => [
  route(
    {
      method: 'GET',
      path: '/webhooks',
      name: 'list_webhooks',
      summary: 'List the webhook subscriptions',
      toolSet: 'administration',
      reply: { 200: z.array(Subscription) },
    },
    ({ actor }) => listSubscriptions(parts.db.sql, actor),
  ),
  route(
    {
      method: 'POST',
      path: '/webhooks',
      name: 'create_webhook',
      summary: 'Subscribe an address to events',
      body: SubscriptionCreate,
      example: {
        name: 'CRM',
        url: 'https://crm.example/hooks/bellhop',
        events: ['call.ended', 'voicemail.new'],
      },
      toolSet: 'administration',
      reply: { 201: SubscriptionWithSecret },
    },
    ({ actor, body }) => createSubscription(parts, actor, body),
  ),
  route(
    {
      method: 'GET',
      path: '/webhooks/:id',
      name: 'get_webhook',
      summary: 'Read a webhook subscription',
      params,
      toolSet: 'administration',
      reply: { 200: Subscription },
    },
    ({ actor, params }) => readSubscription(parts.db.sql, actor, params.id),
  ),
  route(
    {
      method: 'PATCH',
      path: '/webhooks/:id',
      name: 'update_webhook',
      summary: 'Change, pause or resume a webhook subscription',
      params,
      body: SubscriptionUpdate,
      example: { active: false },
      toolSet: 'administration',
      reply: { 200: Subscription },
    },
    ({ actor, params, body }) => updateSubscription(parts, actor, params.id, body),
  ),
  route(
    {
      method: 'DELETE',
      path: '/webhooks/:id',
      name: 'delete_webhook',
      summary: 'Delete a webhook subscription; delivery stops at once',
      params,
      toolSet: 'administration',
      reply: { 204: null },
    },
    ({ actor, params }) => parts.db.tx((tx) => deleteSubscription(tx, actor, params.id)),
  ),
  route(
    {
      method: 'POST',
      path: '/webhooks/:id/secret_rotation',
      name: 'rotate_webhook_secret',
      summary: 'Replace the signing secret; for a day deliveries are signed with both',
      params,
      toolSet: 'administration',
      reply: { 200: SubscriptionWithSecret },
    },
    ({ actor, params }) => rotateSecret(parts, actor, params.id),
  ),
  route(
    {
      method: 'POST',
      path: '/webhooks/:id/test',
      name: 'test_webhook',
      summary: 'Send a test event',
      params,
      toolSet: 'administration',
      reply: { 202: Delivery },
      refusals: { 409: PAUSED },
    },
    ({ actor, params }) => parts.db.tx((tx) => sendTest(tx, actor, params.id)),
  ),
  route(
    {
      method: 'GET',
      path: '/webhooks/:id/deliveries',
      name: 'list_webhook_deliveries',
      summary: 'List what was delivered, or was tried to be, newest first',
      params,
      query: DeliveryPageQuery,
      toolSet: 'administration',
      reply: { 200: DeliveryPage },
    },
    ({ actor, params, query }) => listDeliveries(parts.db.sql, actor, params.id, query),
  ),
  route(
    {
      method: 'POST',
      path: '/webhooks/:id/deliveries/:delivery_id/replay',
      name: 'replay_webhook_delivery',
      summary: 'Deliver an event again, now',
      params: params.extend({ delivery_id: Id('del') }),
      toolSet: 'administration',
      reply: { 202: Delivery },
      refusals: { 409: PAUSED },
    },
    ({ actor, params }) =>
      parts.db.tx((tx) => replayDelivery(tx, parts.clock, actor, params.id, params.delivery_id)),
  ),
]

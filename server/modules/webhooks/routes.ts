import { z } from 'zod'

import { type Route, route } from '../../platform/http/route.ts'
import { Id } from '../../platform/ids.ts'
import { Subscription, SubscriptionCreate, SubscriptionUpdate, SubscriptionWithSecret } from './schemas.ts'
import {
  createSubscription,
  deleteSubscription,
  listSubscriptions,
  readSubscription,
  type SubscriptionParts,
  updateSubscription,
} from './subscriptions.ts'

const params = z.object({ id: Id('web') })

export const webhookRoutes = (parts: SubscriptionParts): Route[] => [
  route(
    {
      method: 'GET',
      path: '/webhooks',
      name: 'list_webhooks',
      summary: 'List the webhook subscriptions',
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
      reply: { 204: null },
    },
    ({ actor, params }) => parts.db.tx((tx) => deleteSubscription(tx, actor, params.id)),
  ),
]

import { z } from 'zod'

import type { VapidKey } from '../../platform/crypto/web-push/vapid.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { Id } from '../../platform/ids.ts'
import type { UrlRules } from '../../platform/net/safe-url.ts'
import { PushSettings, PushSubscription, PushSubscriptionCreate } from './schemas.ts'
import { subscribeBrowser, unsubscribeBrowser } from './subscriptions.ts'

interface RouteParts extends Dependencies<'db' | 'vault'> {
  rules: UrlRules
  vapid: Pick<VapidKey, 'publicKey'>
}

export const pushRoutes = ({ vapid, ...parts }: RouteParts): Route[] => [
  route(
    {
      method: 'GET',
      path: '/push_settings',
      name: 'get_push_settings',
      toolSet: 'none',
      summary: 'Read what a browser subscribes with, so that it can be rung',
      reply: { 200: PushSettings },
    },
    () => ({ public_key: vapid.publicKey }),
  ),
  route(
    {
      method: 'POST',
      path: '/push_subscriptions',
      name: 'create_push_subscription',
      toolSet: 'none',
      summary: 'Have this browser show calls that wait for you, whether or not Bellhop is open',
      body: PushSubscriptionCreate,
      example: {
        endpoint: 'https://push.example.com/send/Zm9vYmFy',
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
        language: 'da',
      },
      reply: { 201: PushSubscription },
      refusals: { 403: { when: 'The request was not made by a signed-in browser: `session_required`.' } },
    },
    ({ actor, body }) => subscribeBrowser(parts, actor, body),
  ),
  route(
    {
      method: 'DELETE',
      path: '/push_subscriptions/:id',
      name: 'delete_push_subscription',
      toolSet: 'none',
      summary: 'No longer ring a browser of yours',
      params: z.object({ id: Id('sub') }),
      reply: { 204: null },
    },
    ({ actor, params }) => parts.db.tx((tx) => unsubscribeBrowser(tx, actor, params.id)),
  ),
]

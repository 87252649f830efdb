import type { Language } from '../i18n/language.tsx'
import { answerOf, client } from './client.ts'

export const readPushKey = async () => (await answerOf(client.GET('/api/v1/push_settings', {}))).public_key

/** Returns the id of the subscription. */
export async function storeSubscription(subscription: PushSubscription, language: Language): Promise<string> {
  const { endpoint = '', keys = {} } = subscription.toJSON()
  const { p256dh = '', auth = '' } = keys
  const body = { endpoint, p256dh, auth, language }
  return (await answerOf(client.POST('/api/v1/push_subscriptions', { body }))).id
}

export const removeSubscription = (id: string) =>
  answerOf(client.DELETE('/api/v1/push_subscriptions/{id}', { params: { path: { id } } }))

import type { Dispatcher } from 'undici'

import type { Clock } from '../../../platform/clock.ts'
import type { Vault } from '../../../platform/crypto.ts'
import { encodeId } from '../../../platform/ids.ts'
import type { FileLinks } from '../../files/index.ts'
import { webhookSecret } from '../subscriptions.ts'
import { type Outcome, post } from './post.ts'
import type { Claimed } from './queries.ts'
import { signatures } from './signature.ts'

export interface CourierParts {
  agent: Dispatcher
  clock: Clock
  vault: Vault
  links: FileLinks
  allowInsecure: boolean
}

/** Makes one attempt at a delivery. */
export type Courier = (delivery: Claimed, signal: AbortSignal) => Promise<Outcome>

export function createCourier({ agent, clock, vault, links, allowInsecure }: CourierParts): Courier {
  return (delivery, signal) => {
    const { subscriptionId, secretSealed, previousSecretSealed } = delivery
    const body = envelope(delivery, links)
    const id = encodeId('del', delivery.id)
    const timestamp = Math.floor(clock.now().getTime() / 1000)
    const secrets = [secretSealed, previousSecretSealed].flatMap((sealed) =>
      sealed ? [vault.open(sealed, webhookSecret(subscriptionId))] : [],
    )
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Bellhop-Webhooks/1.0',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatures(secrets, { id, timestamp, body }),
    }
    return post(delivery.url, headers, body, { agent, clock, allowInsecure, signal })
  }
}

/** The data is already JSON and goes into the envelope as it is, unless a link has to be made for this attempt. */
function envelope({ eventName, happenedAt, data, recordingKey }: Claimed, links: FileLinks): string {
  const complete = recordingKey
    ? JSON.stringify({ ...(JSON.parse(data) as object), recording_url: links.to(recordingKey) })
    : data
  return `{"event":${JSON.stringify(eventName)},"timestamp":"${happenedAt.toISOString()}","data":${complete}}`
}

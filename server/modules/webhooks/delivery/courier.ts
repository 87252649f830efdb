import type { Dispatcher } from 'undici'

import type { Clock } from '../../../platform/clock.ts'
import type { Vault } from '../../../platform/crypto.ts'
import { encodeId } from '../../../platform/ids.ts'
import type { FileLinks } from '../../files/index.ts'
import { eventData } from '../outbox.ts'
import { webhookSecret } from '../subscriptions.ts'
import { type Outcome, post } from './post.ts'
import type { Claimed } from './queries.ts'
import { signatures } from './signature.ts'

export interface CourierParts {
  agent: Dispatcher
  clock: Clock
  vault: Vault
  /** Opens what events say of texts. */
  texts: Vault
  links: FileLinks
  allowInsecure: boolean
}

/** Makes one attempt at a delivery. */
export type Courier = (delivery: Claimed, signal: AbortSignal) => Promise<Outcome>

export function createCourier(parts: CourierParts): Courier {
  const { agent, clock, vault, allowInsecure } = parts
  return async (delivery, signal) => {
    const { subscriptionId, secretSealed, previousSecretSealed } = delivery
    const data = readData(delivery, parts)
    if (data === undefined) return { ok: false, why: 'unreadable' }
    const body = envelope(delivery, data)
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

/** Undefined when the key that it was sealed with is gone. */
function readData(delivery: Claimed, { texts, links }: CourierParts): string | undefined {
  const { companyId, eventId, data, dataSealed, recordingKey } = delivery
  if (dataSealed) {
    try {
      return texts.open(dataSealed, eventData(companyId, eventId))
    } catch {
      return undefined
    }
  }
  if (!recordingKey) return data!
  return JSON.stringify({ ...(JSON.parse(data!) as object), recording_url: links.to(recordingKey) })
}

/** The data is already JSON and goes into the envelope as it is. */
function envelope({ eventName, happenedAt }: Claimed, data: string): string {
  return `{"event":${JSON.stringify(eventName)},"timestamp":"${happenedAt.toISOString()}","data":${data}}`
}

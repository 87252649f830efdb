import type { Dispatcher } from 'undici'

import type { Clock } from '../../../platform/clock.ts'
import type { Vault } from '../../../platform/crypto.ts'
import { encodeId } from '../../../platform/ids.ts'
import { signatures, signingKey } from '../../../platform/standard-webhooks.ts'
import type { FileLinks } from '../../files/index.ts'
import { eventData } from '../outbox.ts'
import { webhookSecret } from '../subscriptions.ts'
import { type Attempt, post } from './post.ts'
import type { Claimed, EndpointRow } from './queries.ts'

export interface CourierParts {
  agent: Dispatcher
  clock: Clock
  vault: Vault
  /** Opens what events say of texts. */
  texts: Vault
  links: FileLinks
  allowInsecure: boolean
}

/** Where deliveries of a subscription go now, and what they are signed with. */
export interface Endpoint {
  origin: string
  path: string
  keys: Buffer[]
}

export interface Courier {
  endpointOf(row: EndpointRow): Endpoint
  /** Makes one attempt at a delivery. */
  deliver(delivery: Claimed, endpoint: Endpoint): Attempt
}

export function createCourier(parts: CourierParts): Courier {
  const { agent, clock, vault, allowInsecure } = parts
  return {
    endpointOf({ id, url, secretSealed, previousSecretSealed }) {
      const { origin, pathname, search } = new URL(url)
      const sealed = previousSecretSealed ? [secretSealed, previousSecretSealed] : [secretSealed]
      const keys = sealed.map((secret) => signingKey(vault.open(secret, webhookSecret(id))))
      return { origin, path: pathname + search, keys }
    },
    deliver(delivery, { origin, path, keys }) {
      if (!allowInsecure && !origin.startsWith('https:')) return notTried('insecure')
      const data = readData(delivery, parts)
      if (data === undefined) return notTried('unreadable')
      const body = envelope(delivery, data)
      const id = encodeId('del', delivery.id)
      const timestamp = Math.floor(clock.now().getTime() / 1000)
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Bellhop-Webhooks/1.0',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signatures(keys, { id, timestamp, body }),
      }
      return post(agent, clock, { origin, path, headers, body })
    },
  }
}

const notTried = (why: 'insecure' | 'unreadable'): Attempt => ({
  outcome: Promise.resolve({ ok: false, why }),
  callOff() {},
})

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

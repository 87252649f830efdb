import type { KeyObject } from 'node:crypto'

import type { Dispatcher } from 'undici'

import type { Clock } from '../../../platform/clock.ts'
import type { Vault } from '../../../platform/crypto.ts'
import { encodeId } from '../../../platform/ids.ts'
import { signatures, signingKey } from '../../../platform/standard-webhooks.ts'
import type { FileLinks } from '../../files/index.ts'
import { eventData } from '../outbox.ts'
import { webhookSecret } from '../subscriptions.ts'
import type { LeaseRow } from './leases.ts'
import { type Attempt, type Outcome, post } from './post.ts'
import type { Due } from './queries.ts'

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
  companyId: string
  origin: string
  path: string
  keys: KeyObject[]
}

export interface Courier {
  endpointOf(row: LeaseRow): Endpoint
  /** Makes one attempt at a delivery. */
  deliver(delivery: Due, endpoint: Endpoint, onEnd: (outcome: Outcome) => void): Attempt
}

export function createCourier(parts: CourierParts): Courier {
  const { agent, clock, vault, allowInsecure } = parts
  return {
    endpointOf({ companyId, subscriptionId, url, secretSealed, previousSecretSealed }) {
      const { origin, pathname, search } = new URL(url)
      const sealed = previousSecretSealed ? [secretSealed, previousSecretSealed] : [secretSealed]
      const keys = sealed.map((secret) => signingKey(vault.open(secret, webhookSecret(subscriptionId))))
      return { companyId, origin, path: pathname + search, keys }
    },
    deliver(delivery, { companyId, origin, path, keys }, onEnd) {
      if (!allowInsecure && !origin.startsWith('https:')) return notTried('insecure', onEnd)
      const data = readData(delivery, companyId, parts)
      if (data === undefined) return notTried('unreadable', onEnd)
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
      return post(agent, { origin, path, headers, body }, onEnd)
    },
  }
}

function notTried(why: 'insecure' | 'unreadable', onEnd: (outcome: Outcome) => void): Attempt {
  queueMicrotask(() => onEnd({ ok: false, why }))
  return { abandon() {} }
}

/** Undefined when the key that it was sealed with is gone. */
function readData(delivery: Due, companyId: string, { texts, links }: CourierParts): string | undefined {
  const { eventId, data, dataSealed, recordingKey } = delivery
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
function envelope({ eventName, happenedAt }: Due, data: string): string {
  return `{"event":${JSON.stringify(eventName)},"timestamp":"${happenedAt.toISOString()}","data":${data}}`
}

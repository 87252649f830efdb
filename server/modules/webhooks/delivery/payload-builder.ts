import type { Vault } from '../../../platform/crypto/crypto.ts'
import { signingKey } from '../../../platform/crypto/standard-webhooks.ts'
import type { FileLinks } from '../../files/index.ts'
import { eventDataContext } from '../outbox.ts'
import { webhookSecretContext } from '../subscriptions.ts'
import type { LeaseRow } from './lease-queries.ts'
import type { EventRow } from './queries.ts'
import type { WebhookEndpoint } from './sending/delivery-request.ts'

interface PayloadBuilderParts {
  vault: Vault
  /** Decrypts the data of events about texts. */
  texts: Vault
  links: FileLinks
}

/** Builds payloads and endpoints. */
export function createPayloadBuilder({ vault, texts, links }: PayloadBuilderParts) {
  const utf8 = new TextEncoder()

  function readData({ companyId, id, data, dataSealed, recordingKey }: EventRow): string | undefined {
    if (dataSealed) {
      try {
        return texts.open(dataSealed, eventDataContext(companyId, id))
      } catch {
        // Its key is gone, or it was tampered with: there is nothing to send.
        return undefined
      }
    }
    if (!recordingKey) return data!
    return JSON.stringify({ ...(JSON.parse(data!) as object), recording_url: links.to(recordingKey) })
  }

  return {
    /** Undefined if its secret cannot be decrypted, because the installation has another one than it had. */
    endpointOf(row: LeaseRow): WebhookEndpoint | undefined {
      const { subscriptionId, url, secretSealed, previousSecretSealed } = row
      const { origin, pathname, search } = new URL(url)
      const sealed = previousSecretSealed ? [secretSealed, previousSecretSealed] : [secretSealed]
      try {
        const keys = sealed.map((secret) =>
          signingKey(vault.open(secret, webhookSecretContext(subscriptionId))),
        )
        return { origin, path: pathname + search, keys }
      } catch {
        return undefined
      }
    },
    /** The payload of an event under this name; undefined if its encryption key is missing. */
    bodyOf(event: EventRow, name: string): Uint8Array | undefined {
      const data = readData(event)
      if (data === undefined) return undefined
      const timestamp = event.createdAt.toISOString()
      // The data is already JSON and is inserted as it is.
      return utf8.encode(`{"event":${JSON.stringify(name)},"timestamp":"${timestamp}","data":${data}}`)
    },
  }
}

export type PayloadBuilder = ReturnType<typeof createPayloadBuilder>

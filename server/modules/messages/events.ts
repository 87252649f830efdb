import { publishToCompany } from '../../live.ts'
import type { Vault } from '../../platform/crypto/crypto.ts'
import type { Tx } from '../../platform/db/database.ts'
import { recordSealedEvent } from '../webhooks/index.ts'
import { presentMessage } from './present.ts'
import { selectMessage } from './read-queries.ts'

/** Makes clients that show the message refetch it. */
export async function publishMessage(
  tx: Tx,
  companyId: string,
  { id, remoteNumber }: { id: string; remoteNumber: string },
): Promise<void> {
  await publishToCompany(tx, companyId, { type: 'sms_update', id, phone_number: remoteNumber })
}

/** Records an event with the message as it is now in this transaction. */
export async function recordMessageEvent(
  tx: Tx,
  texts: Vault,
  name: 'message.received' | 'message.status_changed',
  companyId: string,
  messageId: string,
): Promise<void> {
  await recordSealedEvent(tx, companyId, name, texts, async () => {
    const row = await selectMessage(tx, companyId, messageId)
    return { message: presentMessage(row!, texts) }
  })
}

import type { Vault } from '../../../platform/crypto/crypto.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { splitIntoSegments } from '../../../platform/text/sms-segments.ts'
import { sealedTextContext } from '../present.ts'
import { insertMessage, nextIds } from '../queries.ts'

interface PastMessage {
  numberId: string
  customer: string
  /** Who wrote it; undefined for the customer. */
  employeeId?: string
  text: string
  at: Date
}

/** A text that was received or delivered before it is stored. */
export async function storePastMessage(
  tx: Tx,
  texts: Vault,
  companyId: string,
  { numberId, customer, employeeId, text, at }: PastMessage,
): Promise<void> {
  const { messageId } = await nextIds(tx)
  const { parts, encoding } = splitIntoSegments(text)
  await insertMessage(tx, {
    company_id: companyId,
    id: messageId,
    business_number_id: numberId,
    remote_number: customer,
    text_sealed: texts.seal(text, sealedTextContext(companyId, messageId)),
    sms_count: parts,
    encoding,
    ...(employeeId === undefined
      ? { direction: 'inbound', author: 'customer', status: 'received', received_at: at }
      : {
          direction: 'outbound',
          author: 'employee',
          employee_id: employeeId,
          status: 'delivered',
          delivered_at: at,
        }),
  })
}

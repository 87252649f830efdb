import { sealedTextContext } from '../../../server/modules/messages/present.ts'
import { createKeyRing } from '../../../server/platform/crypto/key-ring.ts'
import { newNumber } from '../calls/telephony.ts'
import type { TestCompany } from '../index.ts'

const secret = 'k'.repeat(64)
const ring = createKeyRing([{ id: '1', secret }])

/** The settings with which a harness can decrypt the texts of `newText`. */
export const TEXT_KEYS = { MESSAGE_KEYS: `1:${secret}` }

interface TextValues {
  business_number_id: string
  direction: 'inbound' | 'outbound'
  remote_number: string
  text: string
  status: string
}

/** A row as the messages module would leave it: by default a text that has just been received. */
export async function newText(company: TestCompany, values: Partial<TextValues> = {}): Promise<string> {
  const { db, companyId } = company
  const { text = 'Hello', direction = 'inbound', ...rest } = values
  const [made] = await db.sql<{ id: string }[]>`select new_id() as id`
  const id = made!.id
  const inbound = direction === 'inbound'
  const row = {
    company_id: companyId,
    id,
    direction,
    business_number_id: values.business_number_id ?? (await newNumber(company, { mute: true })),
    remote_number: '+4520112233',
    author: inbound ? 'customer' : 'automation',
    status: inbound ? 'received' : 'delivered',
    text_sealed: ring.seal(text, sealedTextContext(companyId, id)),
    ...rest,
  }
  await db.sql`insert into messages ${db.sql(row)}`
  return id
}

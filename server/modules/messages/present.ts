import type { Vault } from '../../platform/crypto/crypto.ts'
import type { Queryable } from '../../platform/db/database.ts'
import { type MessageRow, selectMessages, selectSealedTexts } from './read-queries.ts'
import type { Message } from './schemas.ts'

/** `texts` is the vault for texts. */
export interface MessageReader {
  sql: Queryable
  texts: Vault
}

/** Binds a sealed text to its message. */
export const sealedTextContext = (companyId: string, messageId: string) => `message ${companyId} ${messageId}`

/** Messages by their ids (uuids), without those of other companies. */
export async function readMessages(
  { sql, texts }: MessageReader,
  companyId: string,
  ids: string[],
): Promise<Map<string, Message>> {
  const rows = await selectMessages(sql, companyId, ids)
  return new Map(rows.map((row) => [row.id, presentMessage(row, texts)]))
}

const PREVIEW_CHARACTERS = 160

/** The beginning of each text on one line, at most 160 characters, by message id. */
export async function readPreviews(
  { sql, texts }: MessageReader,
  companyId: string,
  ids: string[],
): Promise<Map<string, string>> {
  const rows = await selectSealedTexts(sql, companyId, ids)
  return new Map(
    rows.map(({ id, text_sealed }) => [
      id,
      previewOf(texts.open(text_sealed, sealedTextContext(companyId, id))),
    ]),
  )
}

function previewOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return Array.from(line).slice(0, PREVIEW_CHARACTERS).join('')
}

export function presentMessage(row: MessageRow, texts: Vault): Message {
  const {
    company_id,
    number,
    remote_number,
    author,
    employee_id,
    employee_name,
    text_sealed,
    can_send,
    ...rest
  } = row
  const inbound = row.direction === 'inbound'
  return {
    ...rest,
    type: 'message',
    format: 'sms',
    from: inbound ? remote_number : number,
    to: inbound ? number : remote_number,
    text: texts.open(text_sealed, sealedTextContext(company_id, row.id)),
    author: {
      type: author,
      ...(employee_id !== null && employee_name !== null && { id: employee_id, name: employee_name }),
      ...(author === 'automation' && { name: 'Auto-reply' }),
    },
    can_retry: row.status === 'failed' && can_send && author !== 'automation',
  }
}

import { sealedTextContext } from '../../server/modules/messages/present.ts'
import { createKeyRing } from '../../server/platform/crypto/key-ring.ts'
import type { Database, Sql } from '../../server/platform/db/database.ts'
import { refill } from '../seed.ts'

const secret = 'k'.repeat(64)

/** The setting with which the server decrypts the texts. */
export const TEXT_KEYS = { MESSAGE_KEYS: `1:${secret}` }

export interface SeededInbox {
  companyId: string
  numberIds: [string, string]
  threads: number
}

const ITEMS_PER_THREAD = 10
/** In the note of every contact. */
export const COMMON_WORD = 'customer'
/** In the names of sixty contacts, spread evenly. */
export const RARE_NAME = 'Giraffe'
const RARE_CONTACTS = 60

export const phoneOf = (thread: number) => `+45${20_000_000 + thread}`

const TABLES = [
  'calls',
  'voicemails',
  'messages',
  'contacts',
  'external_numbers',
  'external_number_ends',
  'inbox_items',
  'inbox_threads',
]

/** Fills inboxes as their triggers would, but all rows at once. Every thread has a contact and ten items. */
export async function seedInboxes(db: Database, companies: SeededInbox[]): Promise<void> {
  await refill(db, TABLES, async (seeding) => {
    for (const company of companies) {
      await seeding`update companies set messaging_enabled = true where id = ${company.companyId}`
      await insertContacts(seeding, company)
      await insertItems(seeding, company)
      await insertRecords(seeding, company)
      await insertMessages(seeding, company)
      await insertThreads(seeding, company)
    }
  })
}

const CONTACTS_PER_SLICE = 16_384

/** In slices as by the trigger, with names and e-mail addresses, as most people have. */
async function insertContacts(sql: Sql, { companyId, threads }: SeededInbox) {
  await sql`
    insert into contact_slices (company_id)
    select ${companyId} from generate_series(0, ${Math.floor(threads / CONTACTS_PER_SLICE)})`
  await sql`
    insert into contacts (
      company_id, phone, phone_formatted, name, email, company_name, note, slice, has_activity
    )
    select ${companyId}, '+45' || 20000000 + n, '+45 ' || 20000000 + n,
      case when n % ${Math.ceil(threads / RARE_CONTACTS)} = 3 then ${RARE_NAME}::text else 'Person' end || ' ' || word,
      word || '@example.com', 'Company ' || left(word, 3), 'A ' || ${COMMON_WORD}::text || ' since ' || 1990 + n % 30,
      (select min(id) from contact_slices where company_id = ${companyId}) + n / ${CONTACTS_PER_SLICE}, true
    from (
      select n, translate(md5(n::text), '0123456789', 'ghijklmnop') as word from generate_series(0, ${threads - 1}) as n
    ) as people`
  await sql`
    update contacts set searched_text = search_text(contact_text(name, company_name, email, note))
    where company_id = ${companyId}`
}

/**
 * Of ten items six are calls, one is a voicemail and three are texts; two thirds are inbound, a tenth of those unseen.
 * Ids increase with time.
 */
function insertItems(sql: Sql, { companyId, numberIds, threads }: SeededInbox) {
  return sql`
    insert into inbox_items (company_id, id, type, phone_number, business_number_id, incoming, arrived_at, seen_at)
    select ${companyId}, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, type, '+45' || 20000000 + thread,
      case when thread % 100 = 7 then ${numberIds[1]}::uuid else ${numberIds[0]}::uuid end,
      incoming, at, case when incoming and n % 10 > 0 then at end
    from (
      select *, type = 'voicemail' or n % 3 > 0 as incoming from (
        select n, n % ${threads} as thread,
          case when kind < 6 then 'call' when kind = 6 then 'voicemail' else 'message' end as type,
          now() - make_interval(secs => 1000000 - n) as at
        from (select n, (n / ${threads} + n) % 10 as kind from generate_series(0, ${threads * ITEMS_PER_THREAD - 1}) as n) as kinds
      ) as items
    ) as directed`
}

async function insertRecords(sql: Sql, { companyId }: SeededInbox) {
  await sql`
    insert into calls (
      company_id, id, business_number_id, direction, remote_number, state, started_at, ended_at, summary, created_at
    )
    select company_id, id, business_number_id, case when incoming then 'inbound' else 'outbound' end, phone_number,
      'ended', arrived_at, arrived_at, 'Asked about an order', arrived_at
    from inbox_items where company_id = ${companyId} and type = 'call'`
  await sql`
    insert into voicemails (company_id, id, business_number_id, from_number, transcription, recording_key, created_at)
    select company_id, id, business_number_id, phone_number, 'Please call me back', 'recordings/x.wav', arrived_at
    from inbox_items where company_id = ${companyId} and type = 'voicemail'`
}

const TEXTS_AT_ONCE = 20_000

/** Each text is sealed for its own row, so they are created here. */
async function insertMessages(sql: Sql, { companyId }: SeededInbox) {
  const ring = createKeyRing([{ id: '1', secret }])
  const texts = sql<{ id: string }[]>`
    select id from inbox_items where company_id = ${companyId} and type = 'message'`
  const ids = (await texts).map((row) => row.id)
  for (let first = 0; first < ids.length; first += TEXTS_AT_ONCE) {
    const some = ids.slice(first, first + TEXTS_AT_ONCE)
    const sealed = some.map((id) =>
      ring.seal('Is my order ready?', sealedTextContext(companyId, id)).toString('hex'),
    )
    await sql`
      insert into messages (
        company_id, id, business_number_id, direction, remote_number, author, text_sealed, status, created_at
      )
      select company_id, id, business_number_id, case when incoming then 'inbound' else 'outbound' end, phone_number,
        case when incoming then 'customer' else 'automation' end, decode(sealed, 'hex'),
        case when incoming then 'received' else 'delivered' end, arrived_at
      from unnest(${some}::uuid[], ${sealed}::text[]) as sealed (id, sealed) join inbox_items using (id)
      where company_id = ${companyId}`
  }
}

async function insertThreads(sql: Sql, { companyId }: SeededInbox) {
  await sql`
    insert into external_numbers (company_id, phone_number, stamped_at)
    select ${companyId}, phone_number, max(arrived_at) from inbox_items where company_id = ${companyId} group by 2`
  await sql`
    insert into external_number_ends (company_id, digits, phone_number)
    select ${companyId}, substr(phone_number, first), phone_number
    from external_numbers, generate_series(2, length(phone_number)) as first where company_id = ${companyId}
    order by 2, 3`
  await sql`
    insert into inbox_threads (company_id, phone_number, with_texts, scope_id, last_item_id, last_at, unseen_count)
    select company_id, phone_number, with_texts, scope_id, max(id::text)::uuid,
      max(arrived_at), count(*) filter (where incoming and seen_at is null)
    from inbox_items, (values (true), (false)) as views (with_texts),
      lateral (values (company_id), (business_number_id)) as scopes (scope_id)
    where company_id = ${companyId} and (with_texts or type <> 'message')
    group by 1, 2, 3, 4`
}

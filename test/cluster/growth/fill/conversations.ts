import {
  BUSIEST,
  companyOf,
  type Filling,
  insertByParts,
  insertInSteps,
  PERSONS_PER_SLICE,
  scattered,
  WORDS,
} from './series.ts'

/** Two years, from the first to the last of `count` rows; seconds apart are the rest. */
const momentOf = (n: string, count: number) =>
  `date_trunc('milliseconds', now() - interval '730 days' * (1 - ${n}::float8 / ${count + 1}))`

const personOf = (n: string, kind: string) => `
  case when ${scattered(n, `${kind} busiest`, '20')} = 0 then '${BUSIEST}'
    else '+45' || 20000000 + ${scattered(n, `${kind} person`, 'c.persons')} end`

/** The first number of a company has half of everything. */
const numberOf = (n: string, kind: string) => `
  case when ${scattered(n, `${kind} first`, '2')} = 0 then c.numbers[1] else ${oneOf('c.numbers', n, `${kind} number`)} end`

const oneOf = (array: string, n: string, purpose: string) =>
  `${array}[1 + ${scattered(n, purpose, `cardinality(${array})`)}]`

/** Calls, voicemails, texts, and the inbox that shows them, with contacts of most who called or wrote. */
export async function fillConversations(filling: Filling): Promise<void> {
  const { size } = filling
  await insertContacts(filling)
  await insertInSteps(filling, 'calls', size.calls, (series) => callsOf(series, size.calls))
  await insertByParts(
    filling,
    'employees of calls',
    (companies) => `
      insert into call_employees (company_id, call_id, employee_id, joined_at)
      select company_id, calls.id, employees[1 + length(summary) % cardinality(employees)], answered_at
      from calls join growth.companies c on c.id = company_id
      where answered_at is not null and company_id in (${companies})`,
  )
  const voicemails = Math.ceil(size.calls / 20)
  await insertInSteps(filling, 'voicemails', voicemails, (series) => voicemailsOf(series, voicemails))
  await insertInSteps(filling, 'texts', size.messages, (series) => messagesOf(series, size.messages))
  await insertByParts(
    filling,
    'attempts',
    (companies) => `
      insert into message_attempts (
        company_id, id, message_id, business_number_id, kind, idempotency_key, provider, provider_message_id, status, started_at
      )
      select company_id, growth.id_at(created_at), id, business_number_id, 'send', id::text, 'simulator', id::text,
        'delivered', created_at
      from messages where direction = 'outbound' and company_id in (${companies})`,
  )
  await insertItems(filling)
}

async function insertContacts({ sql, tell }: Filling) {
  await sql.unsafe(`
    insert into contacts (
      company_id, id, phone, phone_formatted, name, email, company_name, note, slice, has_activity, searched_text
    )
    select id, new_id(), phone, phone, name, email, company_name, note, slice, true,
      search_text(contact_text(name, company_name, email, note))
    from (
      select c.id, contact_slice + n / ${PERSONS_PER_SLICE} as slice, '+45' || 20000000 + n as phone,
        case when n % 1000 = 7 then '${WORDS.rare}' else 'Person' end || ' ' || word as name,
        word || '@example.com' as email, 'Company ' || left(word, 3) as company_name,
        'A customer since ' || 1990 + n % 30 as note
      from growth.companies c, generate_series(0, persons - 1) as n,
        translate(md5(n || ' ' || place), '0123456789', 'ghijklmnop') as word
      where n % 5 < 3
    ) as people`)
  tell('contacts')
}

const callsOf = (series: string, count: number) => `
  insert into calls (
    company_id, id, business_number_id, direction, remote_number, state, started_at, answered_at, ended_at, summary,
    transcription, recording_key, initiated_by, words, slice, created_at, end_reason
  )
  select company_id, growth.id_at(at), number, direction, remote, 'ended', at, answered_at, at + interval '3 minutes',
    summary, said, 'recordings/' || n || '.wav', initiated_by, to_tsvector('english', said),
    case when said is not null then slice end, at, 'customer_hung_up'
  from (
    select n, c.id as company_id, at, ${numberOf('n', 'call')} as number,
      case when n % 3 = 0 then 'outbound' else 'inbound' end as direction, ${personOf('n', 'call')} as remote,
      case when n % 4 > 0 then at + interval '20 seconds' end as answered_at, 'Asked about order ' || n as summary,
      case when n % 5 < 2 then concat_ws(' ', 'Thank you for calling', case when n % 2 = 0 then '${WORDS.common}' end,
        case when ${scattered('n', 'rare', '1000')} = 0 then '${WORDS.rare}' end,
        'word' || ${scattered('n', 'word', '4000')}, 'word' || ${scattered('n', 'other word', '4000')}) end as said,
      case when n % 3 = 0 then ${oneOf('c.employees', 'n', 'call employee')} end as initiated_by,
      c.slice + least(slice_count - 1, (slice_count * n / ${count}))::int as slice
    from ${series} as n ${companyOf('n', 'call')}, lateral (select ${momentOf('n', count)} as at) as moment
  ) as made`

const voicemailsOf = (series: string, count: number) => `
  insert into voicemails (company_id, id, business_number_id, from_number, listened_at, transcription, recording_key, created_at)
  select c.id, growth.id_at(at), ${numberOf('n', 'voicemail')}, ${personOf('n', 'voicemail')},
    case when n % 10 > 0 or at < now() - interval '30 days' then at end, 'Please call me back', 'recordings/v' || n || '.wav', at
  from ${series} as n ${companyOf('n', 'voicemail')}, lateral (select ${momentOf('n', count)} as at) as moment`

/** Their texts are not sealed: only those that are read are, later. */
const messagesOf = (series: string, count: number) => `
  insert into messages (
    company_id, id, business_number_id, direction, remote_number, author, employee_id, text_sealed, status, provider,
    provider_message_id, seen_at, created_at, received_at
  )
  select c.id, growth.id_at(at), ${numberOf('n', 'text')},
    case when n % 2 = 0 then 'outbound' else 'inbound' end, ${personOf('n', 'text')},
    case when n % 2 = 0 then 'employee' else 'customer' end,
    case when n % 2 = 0 then ${oneOf('c.employees', 'n', 'text employee')} end,
    decode(repeat(md5(n::text), 4), 'hex'), case when n % 2 = 0 then 'delivered' else 'received' end, 'simulator',
    'sim' || n, at, at, at
  from ${series} as n ${companyOf('n', 'text')}, lateral (select ${momentOf('n', count)} as at) as moment`

async function insertItems(filling: Filling) {
  const seen = `case when incoming and (arrived_at < now() - interval '7 days' or right(id::text, 1) > '0')
    then arrived_at end`
  for (const [type, source] of Object.entries({
    call: `select company_id, id, remote_number as phone, business_number_id, direction = 'inbound' as incoming,
      created_at as arrived_at from calls`,
    voicemail: `select company_id, id, from_number as phone, business_number_id, true as incoming,
      created_at as arrived_at from voicemails`,
    message: `select company_id, id, remote_number as phone, business_number_id, direction = 'inbound' as incoming,
      created_at as arrived_at from messages`,
  }))
    await insertByParts(
      filling,
      `inbox: ${type}s`,
      (companies) => `
        insert into inbox_items (company_id, id, type, phone_number, business_number_id, incoming, arrived_at, seen_at)
        select company_id, id, '${type}', phone, business_number_id, incoming, arrived_at, ${seen}
        from (${source}) as item where company_id in (${companies})`,
    )
  await insertByParts(
    filling,
    'numbers',
    (companies) => `
      insert into external_numbers (company_id, phone_number, stamped_at)
      select company_id, phone_number, max(arrived_at) from inbox_items where company_id in (${companies}) group by 1, 2`,
  )
  await insertByParts(
    filling,
    'ends of numbers',
    (companies) => `
      insert into external_number_ends (company_id, digits, phone_number)
      select company_id, substr(phone_number, first), phone_number
      from external_numbers, generate_series(2, length(phone_number)) as first where company_id in (${companies})`,
  )
  await insertByParts(
    filling,
    'threads',
    (companies) => `
      insert into inbox_threads (company_id, phone_number, with_texts, scope_id, last_item_id, last_at, unseen_count)
      select company_id, phone_number, with_texts, scope_id, max(id::text)::uuid, max(arrived_at),
        count(*) filter (where incoming and seen_at is null)
      from inbox_items, (values (true), (false)) as views (with_texts),
        lateral (values (company_id), (business_number_id)) as scopes (scope_id)
      where (with_texts or type <> 'message') and company_id in (${companies})
      group by 1, 2, 3, 4`,
  )
}

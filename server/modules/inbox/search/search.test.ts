import { beforeEach, describe, expect, test } from 'vitest'

import { newCall, newNumber } from '../../../../test/harness/calls/telephony.ts'
import { untilWaiting } from '../../../../test/harness/routes/insert-barrier.ts'
import { inboxFixture } from '../../../../test/harness/texts/inbox-fixture.ts'
import { newText } from '../../../../test/harness/texts/texts.ts'
import { encodeId } from '../../../platform/ids.ts'
import { setMessaging } from '../../company/index.ts'

const fixture = inboxFixture()

const ANNA = '+4520112233'
const BO = '+4531445566'

async function found(query: string, more: Record<string, string> = {}): Promise<string[]> {
  const { status, body } = await fixture.company.api.get(
    `/inbox?${new URLSearchParams({ query, ...more }).toString()}`,
  )
  expect(status).toBe(200)
  return body.threads.map((thread: { phone_number: string }) => thread.phone_number)
}

const call = (remote_number: string, values: Parameters<typeof newCall>[1] = {}) =>
  newCall(fixture.company, { business_number_id: fixture.numberId, remote_number, ...values })

describe('searching the inbox', () => {
  beforeEach(async () => {
    await call(ANNA)
    await call(BO)
    await fixture.company.api.post('/contacts', {
      phone: ANNA,
      name: 'Anna Sørensen',
      company_name: 'Holm & Co',
      email: 'anna@holm-shop.example',
      note: 'Prefers mornings.\nOwns 100% of a_thing; Иван knows her. 東京',
    })
    await fixture.company.api.post('/contacts', { phone: BO, name: 'Bo' })
    await fixture.company.api.post('/contacts', { phone: '+4599887766', name: 'Anna without a call' })
  })

  test.each([
    'Anna',
    'anna sør',
    'SØRENSEN',
    'ørens',
    'holm & co',
    'holm-shop',
    'mornings. owns',
    '100%',
    'a_thing',
    'Иван',
    'иван зна'.slice(0, 4),
    '東京',
    'an',
    'A',
    '  anna  ',
  ])('finds a contact by %s', async (query) => {
    expect(await found(query)).toEqual([ANNA])
  })

  test.each(['zebra', 'annas', '100_', 'a%thing', '303', '\\', 'nn', 'Сергей'])(
    'finds no contact by %s',
    async (query) => {
      expect(await found(query)).toEqual([])
    },
  )

  test.each([
    '20112233',
    '+4520112233',
    '2011',
    '20 11 22',
    '(20) 11.22-33',
    '1122',
    '2233',
    '3',
    '004520112233',
  ])('finds a phone number by %s', async (query) => {
    expect(await found(query)).toContain(ANNA)
  })

  test('finds a number by how its own country writes it', async () => {
    fixture.company = await fixture.bellhop.newCompany({ country: 'SE' })
    fixture.numberId = await newNumber(fixture.company)
    await call('+46701234567')
    expect(await found('070-123 45 67')).toEqual(['+46701234567'])
  })

  test.each(['77', '20112234', '5566 2011'])('finds no phone number by %s', async (query) => {
    expect(await found(query)).toEqual([])
  })

  test('for a part of several numbers finds them all, newest activity first', async () => {
    expect(await found('45')).toEqual([BO, ANNA])
    await call(ANNA)
    expect(await found('45')).toEqual([ANNA, BO])
  })

  test('for only spaces finds everything', async () => {
    expect(await found('  ')).toEqual([BO, ANNA])
  })

  test('finds what changed about a contact, and no longer what it was', async () => {
    const [contact] = (await fixture.company.api.get(`/contacts?phone=${BO}`)).body
    await fixture.company.api.patch(`/contacts/${contact.id}`, { name: 'Karl' })
    expect(await found('karl')).toEqual([BO])
    expect(await found('bo')).toEqual([])
    await fixture.company.api.delete(`/contacts/${contact.id}`)
    expect(await found('karl')).toEqual([])
  })

  test('combines with the other filters', async () => {
    const through = (await fixture.company.api.get(`/inbox/${ANNA}/activity`)).body.observed_at
    await fixture.company.api.post(`/inbox/${ANNA}/seen`, { through })
    expect(await found('45', { unseen: 'true' })).toEqual([BO])
    expect(await found('anna', { unseen: 'true' })).toEqual([])
  })

  test('finds nobody of another company', async () => {
    const other = await fixture.bellhop.newCompany()
    await newCall(other, { remote_number: '+4520112299' })
    await other.api.post('/contacts', { phone: BO, name: 'Zebra' })
    expect(await found('20112299')).toEqual([])
    expect(await found('zebra')).toEqual([])
  })

  test('never searches transcripts or texts', async () => {
    await call(BO, { summary: 'giraffe', transcription: 'giraffe' })
    await newText(fixture.company, {
      business_number_id: fixture.numberId,
      remote_number: BO,
      text: 'giraffe',
    })
    expect(await found('giraffe')).toEqual([])
  })
})

test('of a word that more than a hundred contacts have, a hundred are looked at', async () => {
  await fixture.bellhop.db.sql`
    insert into contacts (company_id, phone, phone_formatted, name)
    select ${fixture.company.companyId}, '+45' || 30000000 + n, '', 'Giraffe' from generate_series(1, 130) as n`
  await fixture.bellhop.db.sql`
    insert into calls (company_id, business_number_id, direction, remote_number, state)
    select ${fixture.company.companyId}, ${fixture.numberId}, 'inbound', '+45' || 30000000 + n, 'ended' from generate_series(1, 130) as n`
  expect(await found('giraffe', { limit: '100' })).toHaveLength(100)
  const { body } = await fixture.company.api.get('/inbox?query=giraffe&limit=60')
  const next = await fixture.company.api.get(`/inbox?query=giraffe&limit=60&cursor=${body.next_cursor}`)
  expect(next.body.threads).toHaveLength(40)
  expect(next.body.next_cursor).toBeNull()
})

const contact = (name: string, phone = ANNA) => fixture.company.api.post('/contacts', { phone, name })

/** An address book of people who never called. */
const importContacts = (name: string, first: number) => fixture.bellhop.db.sql`
  insert into contacts (company_id, phone, phone_formatted, name)
  select ${fixture.company.companyId}, '+45' || ${first}::integer + n, '', ${name} from generate_series(1, 250) as n`

describe('a search', () => {
  test.each([
    ['contacts first, then the call', true],
    ['the call first, then contacts', false],
  ])('looks only at contacts who have called: %s', async (_, contactsFirst) => {
    if (!contactsFirst) await call(ANNA)
    await importContacts('Jensen', 30_000_000)
    await contact('Anna Jensen')
    await importContacts('Jensen', 40_000_000)
    if (contactsFirst) await call(ANNA)
    expect(await found('jensen')).toEqual([ANNA])
  })

  test('looks only at contacts of the business number and the kinds of items that are shown', async () => {
    await importContacts('Jensen', 30_000_000)
    await contact('Anna Jensen')
    await fixture.bellhop.db.sql`
      insert into messages (company_id, business_number_id, direction, remote_number, author, status, text_sealed)
      select company_id, ${fixture.numberId}, 'inbound', phone, 'customer', 'received', ''
      from contacts where company_id = ${fixture.company.companyId} and phone <> ${ANNA}`
    const other = await newNumber(fixture.company)
    await call(ANNA, { business_number_id: other })
    expect(await found('jensen', { business_number_id: encodeId('num', other) })).toEqual([ANNA])
    await fixture.bellhop.db.tx((tx) => setMessaging(tx, fixture.company.companyId, false))
    expect(await found('jensen')).toEqual([ANNA])
  })

  test('finds a contact whose phone becomes that of a caller', async () => {
    const { body } = await contact('Jensen', BO)
    await call(ANNA)
    expect(await found('jensen')).toEqual([])
    await fixture.company.api.patch(`/contacts/${body.id}`, { phone: ANNA })
    expect(await found('jensen')).toEqual([ANNA])
  })

  test('finds a contact that is made while the number calls for the first time', async () => {
    let made: Promise<unknown> = Promise.resolve()
    await fixture.bellhop.db.tx(async (tx) => {
      await tx`
        insert into calls (company_id, business_number_id, direction, remote_number, state)
        values (${fixture.company.companyId}, ${fixture.numberId}, 'inbound', ${ANNA}, 'ended')`
      made = contact('Jensen')
      // Without a wait on the other side there is nothing to see here, and the contact is simply made.
      await untilWaiting(fixture.bellhop.db.sql, 1)
    })
    await made
    expect(await found('jensen')).toEqual([ANNA])
  })

  test.each([
    ['Brønlund', 'bronlund'],
    ['Bronlund', 'brønlund'],
    ['Zoë Müller', 'zoe mull'],
    ['Zoe\u0308', 'ZOË'],
    ['Zoë', 'Zoe\u0308'],
    ['Ærø Færge', 'aero'],
    ['Straße', 'STRASSE'],
    ['Łódź', 'lodz'],
    ['Ἀθῆναι', 'αθηναι'],
    ['Ёлкин', 'елкин'],
    ['ＡＢＣ商事', 'abc'],
    ['Anna\u00a0 Holm', 'anna holm'],
    ['東京都', '京'],
    ['東京都', '京都'],
    ['たなか', 'なか'],
    ['ガス', 'ス'],
    ['김철수', '철수'],
    ['김철수'.normalize('NFD'), '철수'],
    ['สมชาย', 'ชา'],
  ])('in the name %s finds %s', async (name, query) => {
    await call(ANNA)
    await contact(name)
    expect(await found(query)).toEqual([ANNA])
  })

  test('for an accent alone finds nobody', async () => {
    await call(ANNA)
    await contact('Zoë')
    expect(await found('\u0308')).toEqual([])
  })
})

test('a part that more than a thousand numbers have finds the newest of them, page after page', async () => {
  await fixture.bellhop.db.sql`
    insert into calls (company_id, business_number_id, direction, remote_number, state)
    select ${fixture.company.companyId}, ${fixture.numberId}, 'inbound', '+45' || 30000000 + n, 'ended' from generate_series(0, 1199) as n`
  await fixture.company.api.post('/contacts', { phone: '+4599887766', note: 'order 3000' })
  await call('+4599887766')
  const first = (await fixture.company.api.get('/inbox?query=3000&limit=3')).body
  expect(first.threads.map((thread: { phone_number: string }) => thread.phone_number)).toEqual([
    '+4599887766',
    '+4530001199',
    '+4530001198',
  ])
  const second = (await fixture.company.api.get(`/inbox?query=3000&limit=2&cursor=${first.next_cursor}`)).body
  expect(second.threads.map((thread: { phone_number: string }) => thread.phone_number)).toEqual([
    '+4530001197',
    '+4530001196',
  ])
})

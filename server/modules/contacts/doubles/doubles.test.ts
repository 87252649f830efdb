import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { holdLock } from '../../../../test/harness/calls/held-lock.ts'
import { openQueueFixture } from '../../../../test/harness/calls/queue-fixture.ts'
import { type Harness, harness, type TestCompany } from '../../../../test/harness/index.ts'
import { webhookSink } from '../../../../test/harness/peers/webhook-sink.ts'
import { untilWaiting } from '../../../../test/harness/routes/insert-barrier.ts'
import { migrate } from '../../../platform/db/migrate.ts'
import { CONTACT_LIMITS } from '../limits.ts'

let bellhop: Harness
let company: TestCompany

beforeAll(async () => {
  bellhop = await harness({ BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' })
})

beforeEach(async () => {
  company = await bellhop.newCompany()
})

let serial = 20_100_000
const newPhone = () => `+45${serial++}`

interface Fields {
  phone?: string
  name?: string
  email?: string
  company_name?: string
  note?: string
}

async function add(fields: Fields, at = company) {
  const { status, body } = await at.api.post('/contacts', { phone: newPhone(), ...fields })
  expect(status).toBe(201)
  return body
}

const merge = (main: { id: string }, others: { id: string }[], values = {}) =>
  company.api.post(`/contacts/${main.id}/merge`, { contact_ids: others.map(({ id }) => id), ...values })

const doubles = async () => {
  const { status, body } = await company.api.get('/contacts/doubles')
  expect(status).toBe(200)
  return body
}

const found = async (q: string) =>
  (await company.api.get(`/contacts/search?q=${encodeURIComponent(q)}`)).body as {
    items: any[]
    total: number
  }

const withPhone = async (phone: string) =>
  (await company.api.get(`/contacts?phone=${encodeURIComponent(phone)}`)).body

describe('doubles are', () => {
  test('contacts of one name or one e-mail address, whatever their case and accents, of this company', async () => {
    const jose = await add({ name: 'José Peña' })
    const anna = await add({ name: 'Anna', email: 'Anna@Example.com' })
    await add({ name: 'Bo', email: 'bo@example.com' })
    const jose2 = await add({ name: 'jose pena', company_name: 'Peña & Co' })
    const holm = await add({ name: 'A. Holm', email: 'anna@example.com' })
    await add({ company_name: 'Bo' })
    await add({ name: 'Bo' }, await bellhop.newCompany())
    expect(await doubles()).toEqual({
      groups: [{ contacts: [jose, jose2] }, { contacts: [anna, holm] }],
      more: false,
    })
  })

  test('shown once, if both are the same', async () => {
    const fields = { name: 'Anna Holm', email: 'anna@example.com' }
    const contacts = [await add(fields), await add(fields)]
    expect((await doubles()).groups).toEqual([{ contacts }])
  })

  test('not those of a name that many have', async () => {
    for (let n = 0; n <= CONTACT_LIMITS.merged; n++) await add({ name: 'Reception' })
    expect((await doubles()).groups).toEqual([])
    const [one, ...others] = (await found('Reception')).items
    expect((await company.api.delete(`/contacts/${one.id}`)).status).toBe(204)
    expect((await doubles()).groups).toEqual([{ contacts: others }])
  })

  test('no longer those of which one has changed', async () => {
    const [anna, bo] = [await add({ name: 'Anna' }), await add({ name: 'Bo' })]
    const change = async (values: Fields) =>
      (await company.api.patch(`/contacts/${bo.id}`, values)).body as Fields
    expect((await doubles()).groups).toEqual([])
    const renamed = await change({ name: 'ANNA', email: 'bo@example.com' })
    expect((await doubles()).groups).toEqual([{ contacts: [anna, renamed] }])
    await change({ name: 'Bo' })
    expect((await doubles()).groups).toEqual([])
    const carla = await add({ name: 'Carla', email: 'BO@example.com' })
    expect((await doubles()).groups).toMatchObject([{ contacts: [{ id: bo.id }, { id: carla.id }] }])
    expect((await company.api.delete(`/contacts/${carla.id}`)).status).toBe(204)
    expect((await doubles()).groups).toEqual([])
  })

  test('also two that are added at the same time', async () => {
    const { companyId } = company
    const commit = await holdLock(
      bellhop.db,
      (tx) => tx`
        insert into contacts (company_id, phone, phone_formatted, name)
        values (${companyId}, ${newPhone()}, '', 'Anna')`,
    )
    const adding = add({ name: 'Anna' })
    await untilWaiting(bellhop.db.sql, 1)
    commit()
    const { id } = await adding
    expect((await doubles()).groups).toEqual([
      { contacts: [expect.anything(), expect.objectContaining({ id })] },
    ])
  })

  test('shown up to a limit', async () => {
    await bellhop.db.sql`
      insert into contacts (company_id, phone, phone_formatted, name, email)
      select ${company.companyId}, '+45' || 20000000 + n, '', 'Person ' || n / 2, n / 2 || '@example.com'
      from generate_series(2, ${2 * CONTACT_LIMITS.doubles + 3}) as n`
    const shown = await doubles()
    expect(shown.groups).toHaveLength(CONTACT_LIMITS.doubles)
    expect(shown.more).toBe(true)
    await bellhop.db.sql`
      delete from contacts where company_id = ${company.companyId} and phone = '+4520000002'`
    expect(await doubles()).toMatchObject({ groups: { length: CONTACT_LIMITS.doubles }, more: false })
  })

  test('also of contacts that an older version has written', async () => {
    const contacts = [await add({ name: 'Anna' }), await add({ name: 'Anna' })]
    const [migration] = await bellhop.db.sql<{ name: string }[]>`
      delete from schema_migrations where name like '%-double-contacts.sql' returning name`
    await bellhop.db.sql`delete from contact_doubles`
    expect((await doubles()).groups).toEqual([])
    expect(await migrate(bellhop.db.address)).toEqual([migration!.name])
    expect((await doubles()).groups).toEqual([{ contacts }])
  })
})

test('a merge and another change do not wait for each other in a circle', async () => {
  const { companyId } = company
  const { sql } = bellhop.db
  const names = await sql<{ name: string }[]>`
    select name from unnest(${['Anna', 'Bo']}::text[]) as name
    order by double_lock(${companyId}, 'name', sort_key_of_contact(name, null, ''))`
  const [main, other] = [await add(names[0]!), await add(names[1]!)]
  const { merging } = await bellhop.db.tx(async (tx) => {
    const insert = ({ name }: { name: string }) => tx`
      insert into contacts (company_id, phone, phone_formatted, name)
      values (${companyId}, ${newPhone()}, '', ${name})`
    await insert(names[0]!)
    const merging = merge(main, [other], { name: 'Carla' })
    await untilWaiting(tx, 1)
    await insert(names[1]!)
    return { merging }
  })
  expect((await merging).status).toBe(200)
})

describe('a merged contact', () => {
  test('has the values of all, the notes of all, and every number; the others are gone', async () => {
    const main = await add({ name: 'Anna', note: 'Red bike.' })
    const other = await add({ name: 'Anna Holm', email: 'anna@example.com', note: 'Blue bike.' })
    const { status, body } = await merge(main, [other])
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        ...main,
        email: 'anna@example.com',
        note: 'Red bike.\n\nBlue bike.',
        updated_at: expect.any(String),
      },
    })
    expect((await company.api.get(`/contacts/${main.id}`)).body).toEqual(body)
    for (const gone of [
      await company.api.get(`/contacts/${other.id}`),
      await company.api.patch(`/contacts/${other.id}`, { name: 'X' }),
      await company.api.delete(`/contacts/${other.id}`),
      await merge(other, [main]),
      await merge(main, [other]),
    ])
      expect(gone.status).toBe(404)
    expect((await company.api.get('/contacts')).body).toEqual([body])
    expect(await found('')).toMatchObject({ items: [body], total: 1 })
    expect((await doubles()).groups).toEqual([])
    expect((await company.api.get(`/contacts/${main.id}/numbers`)).body).toEqual({
      numbers: [
        { phone: main.phone, phone_formatted: main.phone_formatted, main: true },
        { phone: other.phone, phone_formatted: other.phone_formatted, main: false },
      ],
    })
  })

  test('has what was chosen instead', async () => {
    const [main, other] = [await add({ name: 'Anna', note: 'Old' }), await add({ name: 'Anna Holm' })]
    const chosen = { name: 'Anna Holm', email: null, company_name: 'Holm & Co', note: null }
    expect((await merge(main, [other], chosen)).body).toMatchObject({ id: main.id, ...chosen })
  })

  test('is found by each of its numbers, once', async () => {
    const main = await add({ name: 'Anna Holm' })
    const others = [await add({ name: 'Anna Holm' }), await add({ name: 'Anna H.' })]
    const { body } = await merge(main, others)
    for (const { phone } of [main, ...others]) {
      expect(await withPhone(phone)).toEqual([body])
      expect(await found(phone)).toMatchObject({ items: [body], total: 1 })
      expect(await found(`anna ${phone.slice(3)}`)).toMatchObject({ items: [body], total: 1 })
      expect(
        (await company.api.get(`/caller_context?phone=${encodeURIComponent(phone)}`)).body.contact,
      ).toEqual(body)
    }
    expect(await found('holm')).toMatchObject({ items: [body], total: 1 })
    expect(await found('h')).toMatchObject({ items: [body], total: 1 })
    expect((await company.api.post('/contacts', { phone: others[0].phone })).status).toBe(422)
  })

  test('names the calls and threads of all its numbers, also after it is changed', async () => {
    const fixture = await openQueueFixture(bellhop)
    company = fixture.company
    const main = await add({ name: 'Anna' })
    const other = await add({ phone: '+4520112233', name: 'Anna H.', note: 'Blue bike.' })
    const callId = await fixture.newCall()
    await fixture.end(callId)
    await merge(main, [other])
    const renamed = (await company.api.patch(`/contacts/${main.id}`, { name: 'Anna Holm' })).body
    expect((await company.api.get('/calls')).body.calls).toMatchObject([{ contact_name: 'Anna Holm' }])
    const { created_at: _, updated_at: __, ...reference } = renamed
    const { threads } = (await company.api.get('/inbox')).body
    expect(threads).toMatchObject([{ phone_number: other.phone, contact: reference }])
    const activity = (await company.api.get(`/inbox/${encodeURIComponent(other.phone)}/activity`)).body
    expect(activity.contact).toEqual(reference)
    for (const [query, count] of [
      ['blue', 1],
      ['green', 0],
    ] as const)
      expect((await company.api.get(`/inbox?query=${query}`)).body.threads).toHaveLength(count)
  })

  test('keeps all its numbers when it is merged into another', async () => {
    const [a, b, c] = [await add({ name: 'A' }), await add({ name: 'B' }), await add({ name: 'C' })]
    await merge(b, [c])
    await merge(a, [b])
    expect((await company.api.get(`/contacts/${a.id}/numbers`)).body.numbers).toHaveLength(3)
    expect(await withPhone(c.phone)).toMatchObject([{ id: a.id, name: 'A' }])
  })

  test('can lose a further number, which anybody may have then, but not its first', async () => {
    const [main, other] = [await add({ name: 'Anna' }), await add({ name: 'Anna' })]
    await merge(main, [other])
    const at = (phone: string) => `/contacts/${main.id}/numbers/${encodeURIComponent(phone)}`
    expect((await company.api.delete(at(main.phone))).status).toBe(404)
    expect((await company.api.delete(at(other.phone))).status).toBe(204)
    expect((await company.api.delete(at(other.phone))).status).toBe(404)
    expect(await withPhone(other.phone)).toEqual([])
    await add({ phone: other.phone, name: 'Bo' })
  })

  test('is deleted with all its numbers', async () => {
    const [main, other] = [await add({ name: 'Anna' }), await add({ name: 'Anna' })]
    await merge(main, [other])
    expect((await company.api.delete(`/contacts/${main.id}`)).status).toBe(204)
    expect(await withPhone(other.phone)).toEqual([])
  })

  test('is reported as changed, and the others as deleted', async () => {
    const sink = await webhookSink()
    const [main, other] = [await add({ name: 'Anna' }), await add({ name: 'Anna Holm' })]
    const events = ['contact.updated', 'contact.deleted', 'contact.created']
    await company.api.post('/webhooks', { name: 'CRM', url: sink.url, events })
    const { body } = await merge(main, [other])
    await bellhop.deliverWebhooks()
    expect(sink.received.map(({ body: { event, data } }) => [event, data.contact])).toEqual([
      ['contact.deleted', other],
      ['contact.updated', body],
    ])
  })

  test('has a limited number of numbers', async () => {
    const main = await add({})
    const batch = async (count: number) => Promise.all(Array.from({ length: count }, () => add({})))
    expect((await merge(main, await batch(CONTACT_LIMITS.merged - 1))).status).toBe(200)
    expect((await merge(main, await batch(CONTACT_LIMITS.merged - 1))).status).toBe(200)
    expect((await merge(main, [await add({})])).status).toBe(200)
    expect(await merge(main, [await add({})])).toMatchObject({
      status: 422,
      body: { error: 'too_many_numbers' },
    })
  })
})

test('a contact is not merged with itself, or one of another company', async () => {
  const main = await add({})
  const foreign = await add({}, await bellhop.newCompany())
  expect((await merge(main, [main])).status).toBe(422)
  expect((await merge(main, [])).status).toBe(422)
  expect((await merge(main, [foreign])).status).toBe(404)
})

test('merges of the same contacts at once make one contact', async () => {
  const [a, b] = [await add({ name: 'A' }), await add({ name: 'B' })]
  const replies = await Promise.all([merge(a, [b]), merge(b, [a])])
  expect(replies.map(({ status }) => status).toSorted((x, y) => x - y)).toEqual([200, 404])
  expect((await company.api.get('/contacts')).body).toHaveLength(1)
  expect(await withPhone(a.phone)).toEqual(await withPhone(b.phone))
})

import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { newCall } from '../../../test/harness/calls/telephony.ts'
import { type Harness, harness, type TestCompany } from '../../../test/harness/index.ts'
import { encodeId } from '../../platform/ids.ts'

let bellhop: Harness
let company: TestCompany

beforeAll(async () => {
  bellhop = await harness()
})

beforeEach(async () => {
  company = await bellhop.newCompany()
})

const NOT_FOUND = { error: 'not_found', message: expect.any(String) }

const refused = (field: string, message: string) => ({
  error: 'validation_failed',
  message: `${field} ${message}.`,
  errors: { [field]: [message] },
})

async function phonesOf({ api }: TestCompany): Promise<string[]> {
  return ((await api.get('/contacts')).body as { phone: string }[]).map((contact) => contact.phone)
}

describe('creating a contact', () => {
  test('returns 201 with every field, the phone in E.164 and formatted', async () => {
    const { status, body } = await company.api.post('/contacts', {
      phone: '+45 (20) 11-22-33',
      name: 'Mikkel',
      email: 'mikkel@example.com',
      company_name: 'Dahl',
      note: 'Red bike',
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^con_[0-9a-z]{26}$/),
      name: 'Mikkel',
      email: 'mikkel@example.com',
      phone: '+4520112233',
      phone_formatted: '+45 20 11 22 33',
      company_name: 'Dahl',
      note: 'Red bike',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: body.created_at,
    })
    expect((await company.api.get(`/contacts/${body.id}`)).body).toEqual(body)
  })

  test('needs only a phone; fields left out, blank or null are null', async () => {
    const { status, body } = await company.api.post('/contacts', {
      phone: '+4520112233',
      name: '   ',
      email: '',
      note: null,
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ name: null, email: null, company_name: null, note: null })
  })

  test('ignores unknown fields and those that only the server sets', async () => {
    const { status, body } = await company.api.post('/contacts', {
      phone: '+4520112233',
      id: 'con_01h455vb4pex5vsknk084sn02q',
      company_id: 'com_01h455vb4pex5vsknk084sn02q',
      phone_formatted: 'call me',
      created_at: '2001-01-01T00:00:00.000Z',
      favourite: true,
    })
    expect(status).toBe(201)
    expect(body).not.toHaveProperty('favourite')
    expect(body.id).not.toBe('con_01h455vb4pex5vsknk084sn02q')
    expect(body.phone_formatted).toBe('+45 20 11 22 33')
    expect(body.created_at).not.toMatch(/^2001/)
    expect(await phonesOf(company)).toEqual(['+4520112233'])
  })

  test('trims names, and keeps every character of a name and a note', async () => {
    const name = 'Åse “Æ” Ørsted 👩‍👩‍👧 李\u{1F1E9}\u{1F1F0}'
    const { body } = await company.api.post('/contacts', {
      phone: '+4520112233',
      name: `  ${name}\n`,
      note: '  first line\n\tsecond line\n',
    })
    expect((await company.api.get(`/contacts/${body.id}`)).body).toMatchObject({
      name,
      note: '  first line\n\tsecond line\n',
    })
  })

  test.each([
    [{}, refused('phone', 'is required')],
    [{ phone: null }, refused('phone', 'must be a string')],
    [{ phone: 4520112233 }, refused('phone', 'must be a string')],
    [{ phone: ['+4520112233'] }, refused('phone', 'must be a string')],
    [{ phone: '' }, refused('phone', "can't be blank")],
    [{ phone: ' \t ' }, refused('phone', "can't be blank")],
    [{ phone: 'call me' }, refused('phone', 'is not a phone number')],
    [{ phone: '12' }, refused('phone', 'is not a phone number')],
    [{ phone: 'tel:+4520112233;ext=5' }, refused('phone', 'is not a phone number')],
    [{ phone: '+4520112233, +4520112244' }, refused('phone', 'is not a phone number')],
    [{ phone: '+4520112233 ext. 5' }, refused('phone', 'is not a phone number')],
    [{ phone: '+45201122334455' }, refused('phone', 'is not a phone number')],
    [{ phone: '+999123456789' }, refused('phone', 'is not a phone number')],
    [{ phone: '+'.repeat(64) }, refused('phone', 'is not a phone number')],
    [{ phone: '1'.repeat(65) }, refused('phone', 'is too long (at most 64 characters)')],
    [{ phone: '+4520112233', email: 'nobody' }, refused('email', 'is not an e-mail address')],
    [{ phone: '+4520112233', email: 'a@b' }, refused('email', 'is not an e-mail address')],
    [{ phone: '+4520112233', email: 'a b@example.com' }, refused('email', 'is not an e-mail address')],
    [
      { phone: '+4520112233', email: 'a@example.com, b@example.com' },
      refused('email', 'is not an e-mail address'),
    ],
    [{ phone: '+4520112233', email: 'a..b@example.com' }, refused('email', 'is not an e-mail address')],
    [{ phone: '+4520112233', email: 'a@-b.example' }, refused('email', 'is not an e-mail address')],
    [{ phone: '+4520112233', email: 'a@10.0.0.1' }, refused('email', 'is not an e-mail address')],
    [{ phone: '+4520112233', email: 1 }, refused('email', 'must be a string')],
    [
      { phone: '+4520112233', email: `${'x'.repeat(320)}@example.com` },
      refused('email', 'is too long (at most 320 characters)'),
    ],
    [{ phone: '+4520112233', name: {} }, refused('name', 'must be a string')],
    [
      { phone: '+4520112233', name: 'x'.repeat(256) },
      refused('name', 'is too long (at most 255 characters)'),
    ],
    [{ phone: '+4520112233', company_name: false }, refused('company_name', 'must be a string')],
    [{ phone: '+4520112233', note: 12 }, refused('note', 'must be a string')],
  ])('refuses %j with 422 and stores nothing', async (input, expected) => {
    const { status, body } = await company.api.post('/contacts', input)
    expect(status).toBe(422)
    expect(body).toMatchObject(expected)
    expect(await phonesOf(company)).toEqual([])
  })

  test.each([
    "o'brien+crm@example.com",
    'kontakt@blåbjerg.example',
    'søren@xn--blbjerg-fxa.example',
    'sales/nordic%west=a&b@example.co.uk',
  ])('accepts %s as an e-mail address', async (email) => {
    const { status, body } = await company.api.post('/contacts', { phone: '+4520112233', email })
    expect(status).toBe(201)
    expect(body.email).toBe(email)
  })

  test('names every wrong field at once', async () => {
    const { status, body } = await company.api.post('/contacts', { phone: '', email: 'x', note: 1 })
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual(['phone', 'email', 'note'])
    expect(body.message).toBe("phone can't be blank; email is not an e-mail address; note must be a string.")
  })

  test('names a phone that cannot be one together with the other wrong fields', async () => {
    for (const phone of ['call me', '12']) {
      const { status, body } = await company.api.post('/contacts', { phone, email: 'x' })
      expect([status, body.errors]).toEqual([
        422,
        { phone: ['is not a phone number'], email: ['is not an e-mail address'] },
      ])
    }
  })

  test('accepts a note of 10,000 characters, however many bytes each has, and no more', async () => {
    for (const [phone, character] of [
      ['+4520112233', 'x'],
      ['+4520112234', 'ø'],
      ['+4520112235', '👍'],
    ] as const) {
      const note = character.repeat(10_000)
      const kept = await company.api.post('/contacts', { phone, note })
      expect(kept.status).toBe(201)
      expect((await company.api.get(`/contacts/${kept.body.id}`)).body.note).toBe(note)
      const grown = await company.api.patch(`/contacts/${kept.body.id}`, { note: note + character })
      expect(grown.status).toBe(422)
      expect(grown.body).toEqual(refused('note', 'is too long (at most 10000 characters)'))
      expect((await company.api.get(`/contacts/${kept.body.id}`)).body.note).toBe(note)
    }
  })
})

describe('the phone of a contact', () => {
  test.each([
    ['20112233', '+4520112233', '+45 20 11 22 33'],
    ['20 11 22 33', '+4520112233', '+45 20 11 22 33'],
    ['0045 20112233', '+4520112233', '+45 20 11 22 33'],
    ['+45.20.11.22.33', '+4520112233', '+45 20 11 22 33'],
    ['+4520112233', '+4520112233', '+45 20 11 22 33'],
    ['\u00a0+45\u00a020112233 ', '+4520112233', '+45 20 11 22 33'],
    ['+46 (0)70-123 45 67', '+46701234567', '+46 70 123 45 67'],
    ['+1 (202) 555-0123', '+12025550123', '+1 202 555 0123'],
    ['(+45) 20 11 22 33', '+4520112233', '+45 20 11 22 33'],
    ['(+46) (0)70-123 45 67', '+46701234567', '+46 70 123 45 67'],
    ['tel:+4520112233', '+4520112233', '+45 20 11 22 33'],
    ['TEL:+45-20-11-22-33', '+4520112233', '+45 20 11 22 33'],
    ['tel:20112233;phone-context=+45', '+4520112233', '+45 20 11 22 33'],
    ['+45 20 11 22 33,', '+4520112233', '+45 20 11 22 33'],
    ['20 11 22 33.', '+4520112233', '+45 20 11 22 33'],
    ['20 11 22 33; ', '+4520112233', '+45 20 11 22 33'],
  ])('written %j in a Danish company is %s', async (written, phone, phone_formatted) => {
    const { status, body } = await company.api.post('/contacts', { phone: written })
    expect(status).toBe(201)
    expect(body).toMatchObject({ phone, phone_formatted })
  })

  test('in a national format is read as in the company’s country, also after that changes', async () => {
    const swedish = await bellhop.newCompany({ country: 'SE' })
    const first = await swedish.api.post('/contacts', { phone: '070-123 45 67' })
    expect(first.body.phone).toBe('+46701234567')
    await swedish.api.patch('/company', { country: 'GB' })
    const second = await swedish.api.post('/contacts', { phone: '020 7946 0123' })
    expect(second.body.phone).toBe('+442079460123')
    expect(await phonesOf(swedish)).toEqual(['+442079460123', '+46701234567'])
  })

  test('is unique within the company, however it is written', async () => {
    await company.api.post('/contacts', { phone: '+4520112233', name: 'First' })
    const { status, body } = await company.api.post('/contacts', { phone: '20 11 22 33', name: 'Second' })
    expect(status).toBe(422)
    expect(body).toEqual(refused('phone', 'is already used by another contact'))
    const { body: contacts } = await company.api.get('/contacts')
    expect(contacts).toMatchObject([{ name: 'First' }])
  })

  test('may be the same in two companies', async () => {
    const other = await bellhop.newCompany()
    expect((await company.api.post('/contacts', { phone: '+4520112233' })).status).toBe(201)
    expect((await other.api.post('/contacts', { phone: '+4520112233' })).status).toBe(201)
  })

  test('created ten times concurrently is created once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => company.api.post('/contacts', { phone: '+4520112233' })),
    )
    const statuses = answers.map((answer) => answer.status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.filter((status) => status === 422)).toHaveLength(9)
    expect(await phonesOf(company)).toEqual(['+4520112233'])
  })

  test('is free again once its contact is deleted', async () => {
    const { body } = await company.api.post('/contacts', { phone: '+4520112233' })
    await company.api.delete(`/contacts/${body.id}`)
    expect((await company.api.post('/contacts', { phone: '+4520112233' })).status).toBe(201)
  })
})

describe('changing a contact', () => {
  const whole = {
    phone: '+4520112233',
    name: 'Mikkel',
    email: 'mikkel@example.com',
    company_name: 'Dahl',
    note: 'Red bike',
  }

  /** A contact created an hour ago, so that a change of updated_at shows. */
  async function anOldContact() {
    const { body } = await company.api.post('/contacts', whole)
    await bellhop.db.sql`
      update contacts set created_at = created_at - interval '1 hour', updated_at = updated_at - interval '1 hour'`
    return (await company.api.get(`/contacts/${body.id}`)).body
  }

  test('sets the fields that are sent, keeps the rest, and updates updated_at', async () => {
    const before = await anOldContact()
    const { status, body } = await company.api.patch(`/contacts/${before.id}`, {
      name: ' Mikkel Dahl ',
      phone: '20 11 22 44',
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...before,
      name: 'Mikkel Dahl',
      phone: '+4520112244',
      phone_formatted: '+45 20 11 22 44',
      updated_at: expect.any(String),
    })
    expect(Date.parse(body.updated_at)).toBeGreaterThan(Date.parse(before.updated_at))
    expect((await company.api.get(`/contacts/${before.id}`)).body).toEqual(body)
  })

  test.each([null, '', '  '])('to %j clears an optional field', async (nothing) => {
    const before = await anOldContact()
    const cleared = { name: nothing, email: nothing, company_name: nothing, note: nothing }
    const { status, body } = await company.api.patch(`/contacts/${before.id}`, cleared)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      phone: '+4520112233',
      name: null,
      email: null,
      company_name: null,
      note: null,
    })
  })

  test('with nothing changes nothing', async () => {
    const before = await anOldContact()
    expect((await company.api.patch(`/contacts/${before.id}`, {})).body).toEqual(before)
    expect((await company.api.patch(`/contacts/${before.id}`)).body).toEqual(before)
    const ignored = await company.api.patch(`/contacts/${before.id}`, { id: 'x', favourite: true })
    expect(ignored.status).toBe(200)
    expect(ignored.body).toEqual(before)
  })

  test.each([
    [{ phone: null }, refused('phone', 'must be a string')],
    [{ phone: '' }, refused('phone', "can't be blank")],
    [{ phone: 'x' }, refused('phone', 'is not a phone number')],
    [{ name: 'New', email: 'nobody' }, refused('email', 'is not an e-mail address')],
    [{ name: 'New', note: [] }, refused('note', 'must be a string')],
  ])('to %j is refused with 422 and changes nothing', async (input, expected) => {
    const before = await anOldContact()
    const { status, body } = await company.api.patch(`/contacts/${before.id}`, input)
    expect(status).toBe(422)
    expect(body).toEqual(expected)
    expect((await company.api.get(`/contacts/${before.id}`)).body).toEqual(before)
  })

  test('to the phone of another contact is refused; to its own phone is not', async () => {
    const before = await anOldContact()
    await company.api.post('/contacts', { phone: '+4520112244' })
    const taken = await company.api.patch(`/contacts/${before.id}`, { name: 'New', phone: '+4520112244' })
    expect(taken.status).toBe(422)
    expect(taken.body).toEqual(refused('phone', 'is already used by another contact'))
    expect((await company.api.get(`/contacts/${before.id}`)).body).toEqual(before)
    expect((await company.api.patch(`/contacts/${before.id}`, { phone: '20112233' })).status).toBe(200)
  })
})

describe('deleting a contact', () => {
  test('returns 204 without a body, after which it is not found', async () => {
    const { body: kept } = await company.api.post('/contacts', { phone: '+4520112244' })
    const { body: contact } = await company.api.post('/contacts', { phone: '+4520112233' })
    const deleted = await company.api.delete(`/contacts/${contact.id}`)
    expect(deleted.status).toBe(204)
    expect(deleted.body).toBeUndefined()
    for (const answer of [
      await company.api.get(`/contacts/${contact.id}`),
      await company.api.patch(`/contacts/${contact.id}`, { name: 'x' }),
      await company.api.delete(`/contacts/${contact.id}`),
    ]) {
      expect(answer.status).toBe(404)
      expect(answer.body).toEqual(NOT_FOUND)
    }
    expect((await company.api.get('/contacts')).body).toEqual([kept])
  })

  test('leaves its calls, which keep the number and lose the contact', async () => {
    const phone = '+4520112255'
    const { body: contact } = await company.api.post('/contacts', { phone, name: 'Anna' })
    const call = encodeId('cal', await newCall(company, { remote_number: phone }))
    const thread = async () => {
      const { threads } = (await company.api.get('/inbox')).body
      return threads.find((each: { phone_number: string }) => each.phone_number === phone)
    }
    expect((await thread()).contact).toMatchObject({ id: contact.id, name: 'Anna' })
    await company.api.delete(`/contacts/${contact.id}`)
    expect(await thread()).toMatchObject({ contact: null, latest_item: { id: call } })
    expect((await company.api.get(`/calls/${call}`)).body.from).toBe(phone)
  })
})

describe('listing contacts', () => {
  test('is an empty array without contacts', async () => {
    const { status, body } = await company.api.get('/contacts')
    expect(status).toBe(200)
    expect(body).toEqual([])
  })

  test('returns complete contacts, newest first, even if created in quick succession', async () => {
    const made: unknown[] = []
    for (let i = 0; i < 30; i++) {
      made.push((await company.api.post('/contacts', { phone: `+45201122${10 + i}` })).body)
    }
    expect((await company.api.get('/contacts')).body).toEqual(made.toReversed())
  })

  test('keeps its order when a contact changes', async () => {
    const { body: first } = await company.api.post('/contacts', { phone: '+4520112233' })
    await company.api.post('/contacts', { phone: '+4520112244' })
    await company.api.patch(`/contacts/${first.id}`, { name: 'Changed' })
    expect(await phonesOf(company)).toEqual(['+4520112244', '+4520112233'])
  })

  test.each([99, 100, 101, 250])('returns each of %i contacts once', async (count) => {
    await bellhop.db.sql`
      insert into contacts (company_id, phone, phone_formatted)
      select ${company.companyId}, '+45' || 20000000 + n, '' from generate_series(1, ${count}) as n`
    const phones = await phonesOf(company)
    expect(phones).toHaveLength(count)
    expect(new Set(phones).size).toBe(count)
    expect(phones[0]).toBe(`+45${20_000_000 + count}`)
    expect(phones.at(-1)).toBe('+4520000001')
  })

  test('does not show the contacts of another company', async () => {
    const other = await bellhop.newCompany()
    await other.api.post('/contacts', { phone: '+4520112233' })
    expect((await company.api.get('/contacts')).body).toEqual([])
    expect((await company.api.get('/contacts?phone=%2B4520112233')).body).toEqual([])
  })
})

describe('finding a contact by phone', () => {
  test.each([
    '%2B4520112233',
    '+4520112233',
    '+45+20+11+22+33',
    '20112233',
    '20%2011%2022%2033',
    '%2B45%20(20)%2011-22-33',
    '004520112233',
    '%20%2B4520112233%20',
  ])('?phone=%s returns the contact with that number', async (query) => {
    const { body: contact } = await company.api.post('/contacts', { phone: '+4520112233' })
    await company.api.post('/contacts', { phone: '+4520112234' })
    const { status, body } = await company.api.get(`/contacts?phone=${query}`)
    expect(status).toBe(200)
    expect(body).toEqual([contact])
  })

  test('reads national formats as in the company’s country, and a pasted + as a plus', async () => {
    const british = await bellhop.newCompany({ country: 'GB' })
    const { body: london } = await british.api.post('/contacts', { phone: '+442079460123' })
    const { body: danish } = await british.api.post('/contacts', { phone: '+4520112233' })
    expect((await british.api.get('/contacts?phone=020%207946%200123')).body).toEqual([london])
    expect((await british.api.get('/contacts?phone=20112233')).body).toEqual([])
    expect((await british.api.get('/contacts?phone=+4520112233')).body).toEqual([danish])
  })

  test.each([
    '',
    'nobody',
    '1',
    '%2B',
    '%00',
    '%zz',
    '%ff%fe',
    '%2B4520112233%20ext.%205',
    '1'.repeat(4_000),
  ])('?phone=%s is not a number and gives an empty array', async (query) => {
    await company.api.post('/contacts', { phone: '+4520112233' })
    const { status, body } = await company.api.get(`/contacts?phone=${query}`)
    expect(status).toBe(200)
    expect(body).toEqual([])
  })

  test('gives an empty array for a number that no contact has', async () => {
    await company.api.post('/contacts', { phone: '+4520112233' })
    expect((await company.api.get('/contacts?phone=%2B4520112234')).body).toEqual([])
  })

  test('refuses two numbers at once', async () => {
    const { status, body } = await company.api.get('/contacts?phone=20112233&phone=20112234')
    expect(status).toBe(422)
    expect(body).toEqual(refused('phone', 'must be a string'))
  })

  test('ignores unknown parameters', async () => {
    const { body: contact } = await company.api.post('/contacts', { phone: '+4520112233' })
    expect((await company.api.get('/contacts?limit=0&phone[]=1&__proto__=1')).body).toEqual([contact])
  })
})

describe('a contact of another company', () => {
  test('is not found, exactly as one that never existed, and stays as it is', async () => {
    const other = await bellhop.newCompany()
    const { body: contact } = await other.api.post('/contacts', { phone: '+4520112233', name: 'Theirs' })
    const path = `/contacts/${contact.id}`
    const unknown = await company.api.get('/contacts/con_01h455vb4pex5vsknk084sn02q')
    expect(unknown.status).toBe(404)
    expect(unknown.body).toEqual(NOT_FOUND)
    for (const answer of [
      await company.api.get(path),
      await company.api.patch(path, { name: 'Ours' }),
      await company.api.delete(path),
    ]) {
      expect(answer.status).toBe(404)
      expect(answer.body).toEqual(unknown.body)
    }
    expect((await other.api.get(path)).body).toEqual(contact)
  })
})

import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

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

const read = async () => (await company.api.get('/company')).body

describe('reading the company', () => {
  test('gives the company of the key, with every field', async () => {
    const { status, body } = await company.api.get('/company')
    expect(status).toBe(200)
    expect(body).toEqual({
      id: encodeId('com', company.companyId),
      name: 'Test company',
      address: null,
      city: null,
      state: null,
      zip: null,
      country: 'DK',
      vat_id: null,
      requires_two_factor: false,
    })
  })

  test('gives each key its own company', async () => {
    const other = await bellhop.newCompany({ country: 'SE' })
    const { body } = await other.api.get('/company')
    expect(body).toMatchObject({ id: encodeId('com', other.companyId), country: 'SE' })
    expect(body.id).not.toBe((await read()).id)
  })
})

describe('changing the company', () => {
  const address = {
    address: 'Åboulevarden 1',
    city: 'Aarhus C',
    state: 'Midtjylland',
    zip: '8000',
    country: 'SE',
    vat_id: 'DK12345678',
    requires_two_factor: true,
  }

  test('sets the fields that are sent and returns the company', async () => {
    const before = await read()
    const { status, body } = await company.api.patch('/company', address)
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, ...address })
    expect(await read()).toEqual(body)
  })

  test('keeps the fields that are not sent', async () => {
    await company.api.patch('/company', address)
    const { body } = await company.api.patch('/company', { city: 'Odense' })
    expect(body).toMatchObject({ ...address, city: 'Odense' })
    const untouched = await company.api.patch('/company', {})
    expect(untouched.status).toBe(200)
    expect(untouched.body).toEqual(body)
  })

  test('trims text; null and blank clear it', async () => {
    await company.api.patch('/company', address)
    const { body } = await company.api.patch('/company', {
      address: null,
      city: '',
      state: '  ',
      zip: null,
      vat_id: ' SE556677889901 ',
    })
    expect(body).toMatchObject({
      address: null,
      city: null,
      state: null,
      zip: null,
      vat_id: 'SE556677889901',
      country: 'SE',
      requires_two_factor: true,
    })
  })

  test('does not change the name or the id', async () => {
    const before = await read()
    const { status, body } = await company.api.patch('/company', {
      name: 'Evil Corp',
      id: 'com_01h455vb4pex5vsknk084sn02q',
      messaging_enabled: true,
    })
    expect(status).toBe(200)
    expect(body).toEqual(before)
    const [row] = await bellhop.db
      .sql`select messaging_enabled from companies where id = ${company.companyId}`
    expect(row).toEqual({ messaging_enabled: false })
  })

  test('changes this company and no other', async () => {
    const other = await bellhop.newCompany()
    const before = (await other.api.get('/company')).body
    await company.api.patch('/company', address)
    expect((await other.api.get('/company')).body).toEqual(before)
  })

  test.each(['DE', 'US', 'GL', 'FO', 'gb'])('accepts the supported country %s', async (country) => {
    const { status, body } = await company.api.patch('/company', { country })
    expect(status).toBe(200)
    expect(body.country).toBe(country.toUpperCase())
  })

  test.each([
    [{ country: 'XX' }, 'country'],
    [{ country: 'XK' }, 'country'],
    [{ country: 'DNK' }, 'country'],
    [{ country: 'Denmark' }, 'country'],
    [{ country: 'ß' }, 'country'],
    [{ country: '' }, 'country'],
    [{ country: null }, 'country'],
    [{ country: 45 }, 'country'],
    [{ country: ['DK'] }, 'country'],
    [{ requires_two_factor: null }, 'requires_two_factor'],
    [{ requires_two_factor: 'true' }, 'requires_two_factor'],
    [{ requires_two_factor: 1 }, 'requires_two_factor'],
    [{ address: 1 }, 'address'],
    [{ city: {} }, 'city'],
    [{ state: [] }, 'state'],
    [{ zip: 8000 }, 'zip'],
    [{ vat_id: true }, 'vat_id'],
    [{ address: 'x'.repeat(256) }, 'address'],
    [{ city: 'a\0b' }, 'city'],
  ])('refuses %j with 422 and changes nothing', async (wrong, field) => {
    const before = await read()
    const { status, body } = await company.api.patch('/company', { zip: '5000', ...wrong })
    expect(status).toBe(422)
    expect(body).toMatchObject({ error: 'validation_failed', message: expect.stringMatching(/^\w+ .+\.$/) })
    expect(Object.keys(body.errors)).toEqual([field])
    expect(await read()).toEqual(before)
  })
})

describe('renaming the company', () => {
  test('changes the name and nothing else, for this company only', async () => {
    const other = await bellhop.newCompany()
    const before = await read()
    const { status, body } = await company.api.put('/company/name', { name: ' Nordlys  & Søn ' })
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, name: 'Nordlys  & Søn' })
    expect(await read()).toEqual(body)
    expect((await other.api.get('/company')).body.name).toBe('Test company')
  })

  test.each([{}, { name: '' }, { name: '  ' }, { name: 'a\nb' }, { name: 'x'.repeat(256) }, { name: null }])(
    'refuses %j with 422',
    async (wrong) => {
      const { status, body } = await company.api.put('/company/name', wrong)
      expect([status, Object.keys(body.errors)]).toEqual([422, ['name']])
      expect((await read()).name).toBe('Test company')
    },
  )
})

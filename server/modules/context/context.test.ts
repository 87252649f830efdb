import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { type Harness, harness, type TestCompany } from '../../../test/harness/index.ts'
import { type ContextServer, contextServer } from '../../../test/harness/peers/context-server.ts'
import { LOOK_UP_LIMITS } from './limits.ts'

let bellhop: Harness
let company: TestCompany
let crm: ContextServer

const vendors = { shopify: await contextServer(), economic: await contextServer() }

beforeAll(async () => {
  bellhop = await harness({
    BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1',
    SHOPIFY_URL: vendors.shopify.url,
    ECONOMIC_URL: vendors.economic.url,
  })
})

beforeEach(async () => {
  company = await bellhop.newCompany()
  crm = await contextServer()
  vendors.shopify.asked.length = 0
  vendors.economic.asked.length = 0
})

const PHONE = '+4520112233'
const addCrm = async (url = crm.url) => add({ provider: 'custom', label: 'CRM', url })
const addShop = () => add({ provider: 'shopify', shop: 'nordlys.myshopify.com', access_token: 'shpat_1' })
const addAccounts = () =>
  add({ provider: 'economic', app_secret_token: 'app', agreement_grant_token: 'grant' })

async function add(input: object): Promise<string> {
  const { status, body } = await company.api.post('/integrations', input)
  expect(status).toBe(201)
  return body.id
}

const lookUp = async (phone = PHONE, { api } = company) => {
  const { status, body } = await api.get(`/caller_context?phone=${encodeURIComponent(phone)}`)
  expect(status).toBe(200)
  return body
}
const contactsOf = async ({ api } = company) => (await api.get('/contacts')).body as Record<string, unknown>[]

const shopCustomer = (values: object) => ({
  data: {
    customers: {
      nodes: [{ id: 'gid://shopify/Customer/1', defaultPhoneNumber: { phoneNumber: PHONE }, ...values }],
    },
  },
})
const accountsCustomer = (values: object) => (asked: { path: string }) => {
  if (asked.path === '/self') return { agreementNumber: 1 }
  if (!asked.path.startsWith('/customers?')) return { collection: [] }
  return { collection: [{ customerNumber: 1, mobilePhone: '20112233', ...values }] }
}

const identify = (contact: object) => (crm.answer = () => ({ contact }))

async function heardOf(events: string[]): Promise<() => Promise<unknown[]>> {
  const { body } = await company.api.post('/webhooks', { name: 'Ear', url: 'http://127.0.0.1:9/', events })
  return async () => {
    const { deliveries } = (await company.api.get(`/webhooks/${body.id}/deliveries`)).body
    return deliveries.map(({ event }: { event: string }) => event)
  }
}

describe('GET /caller_context', () => {
  test.each(['', '?phone=', '?phone=%20', '?other=1'])(
    '%s is 400 with the text of the contract',
    async (query) => {
      const { status, body } = await company.api.get(`/caller_context${query}`)
      expect({ status, body }).toEqual({ status: 400, body: { error: 'phone parameter required' } })
    },
  )

  test('without integrations there is no look-up: no contexts, no time, but the contact', async () => {
    const { body: contact } = await company.api.post('/contacts', { phone: PHONE, name: 'Mikkel' })
    expect(await lookUp()).toEqual({ contexts: [], enriched_at: null, contact })
    expect(await lookUp('+4520112234')).toEqual({ contexts: [], enriched_at: null, contact: null })
  })

  test('an invalid phone number is unknown, and causes no look-up', async () => {
    await addCrm()
    for (const phone of ['anonymous', '12', '+999123456789', 'x'.repeat(2_000)])
      expect(await lookUp(phone)).toEqual({ contexts: [], enriched_at: null, contact: null })
    expect(crm.asked).toEqual([])
  })

  test('returns every section and format as it was sent, with the time of the look-up', async () => {
    await addCrm()
    const sections = [
      {
        type: 'fields',
        label: 'Subscription',
        fields: [
          { label: 'Plan', value: 'Gold', format: 'badge', bold: true },
          { label: 'Price', value: { amount: '-1234.50', currency: 'DKK' }, format: 'money' },
          { label: 'Since', value: '2024-02-29', format: 'date' },
          { label: 'Seen', value: '2026-11-15T08:00:00+01:00', format: 'date' },
          { label: 'Mail', value: 'mikkel@example.com', format: 'email', url: 'https://crm.example/mail/1' },
          { label: 'Mobile', value: '+4520112233', format: 'phone' },
          { label: 'Remark', value: '', format: 'text', bold: false },
          { label: 'Language', value: 'Dansk 👩‍👩‍👧' },
        ],
      },
      {
        type: 'table',
        label: 'Bikes',
        columns: [
          { key: 'name', label: 'Name' },
          { key: 'price', label: 'Price', format: 'money' },
        ],
        rows: [
          {
            url: 'http://crm.example/bikes/1',
            values: { name: 'Red', price: { amount: '1', currency: 'EUR' } },
          },
          { values: { name: 'Blue' } },
        ],
      },
      { type: 'table', label: 'Nothing yet', columns: [{ key: 'a', label: 'A' }], rows: [] },
    ]
    const context = {
      provider: 'dynamics',
      label: 'Dynamics',
      source: 'Aarhus',
      url: 'https://crm.example/people/1',
      contact: { name: 'Mikkel', email: null, company_name: null, note: null },
      sections,
    }
    crm.answer = () => context
    const answer = await lookUp()
    expect(answer.contexts).toEqual([context])
    expect(answer.enriched_at).toBe(bellhop.clock.now().toISOString())
  })

  test('the defaults are the integration’s label, its host, and null', async () => {
    await addCrm()
    crm.answer = () => ({ sections: [{ type: 'fields', fields: [{ label: 'Plan', value: 'Gold' }] }] })
    expect((await lookUp()).contexts).toEqual([
      {
        provider: 'custom',
        label: 'CRM',
        source: new URL(crm.url).host,
        url: null,
        contact: null,
        sections: [{ type: 'fields', fields: [{ label: 'Plan', value: 'Gold' }] }],
      },
    ])
  })

  test('reads national numbers as in the company’s country', async () => {
    await addCrm()
    await lookUp('20 11 22 33')
    expect(crm.asked.map(({ body }) => JSON.parse(body))).toEqual([{ phone: PHONE }])
  })

  test('shows nothing and queries nothing of another company', async () => {
    await addCrm()
    crm.answer = () => ({ contact: { name: 'Ours' } })
    await lookUp()
    const other = await bellhop.newCompany()
    expect(await lookUp(PHONE, other)).toEqual({ contexts: [], enriched_at: null, contact: null })
    expect(crm.asked).toHaveLength(1)
  })
})

describe('several providers', () => {
  test('are queried concurrently, and listed in order of precedence whenever they respond', async () => {
    await addAccounts()
    await addCrm()
    await addShop()
    let answered: (() => void) | undefined
    const others = new Promise<void>((resolve) => (answered = resolve))
    // The first of them responds only when all have been queried.
    crm.answer = async () => {
      await others
      return { contact: { name: 'Custom' } }
    }
    vendors.shopify.answer = () => shopCustomer({ displayName: 'Shop' })
    vendors.economic.answer = (asked) => {
      if (asked.path.startsWith('/invoices')) answered!()
      return accountsCustomer({ name: 'Accounts' })(asked)
    }
    const { contexts } = await lookUp()
    expect(contexts.map(({ provider }: { provider: string }) => provider)).toEqual([
      'custom',
      'shopify',
      'economic',
    ])
  })

  test('identities are merged in that order, field by field', async () => {
    await addAccounts()
    await addCrm()
    await addShop()
    crm.answer = () => ({ contact: { name: 'Mikkel', email: 'not an address' } })
    vendors.shopify.answer = () =>
      shopCustomer({
        displayName: 'M. Dahl',
        defaultEmailAddress: { emailAddress: 'shop@example.com' },
        note: 'From the shop',
      })
    vendors.economic.answer = accountsCustomer({
      name: 'Dahl ApS',
      email: 'accounts@example.com',
      corporateIdentificationNumber: '12345674',
    })
    const { contact } = await lookUp()
    expect(contact).toMatchObject({
      name: 'Mikkel',
      email: 'shop@example.com',
      company_name: 'Dahl ApS',
      note: 'From the shop',
      phone: PHONE,
    })
    expect(await contactsOf()).toEqual([contact])
  })

  test('an identity without a name is shown, but no contact is made of it, whichever provider it is from', async () => {
    await addShop()
    await addCrm()
    crm.answer = () => ({ contact: { email: 'custom@example.com', note: 'x' }, url: 'https://crm.example/1' })
    vendors.shopify.answer = () => shopCustomer({ displayName: 'M. Dahl' })
    const { contact, contexts } = await lookUp()
    expect(contexts[0].contact).toEqual({
      name: null,
      email: 'custom@example.com',
      company_name: null,
      note: 'x',
    })
    expect(contact).toMatchObject({ name: 'M. Dahl', email: null, note: null })
  })

  test('an identity without a name alone makes no contact, and one without anything is null', async () => {
    await addCrm()
    crm.answer = () => ({ contact: { company_name: 'Dahl ApS' } })
    const first = await lookUp()
    expect([first.contact, first.contexts[0].contact.company_name]).toEqual([null, 'Dahl ApS'])
    expect(await contactsOf()).toEqual([])
    await bellhop.db.sql`delete from caller_lookups`
    crm.answer = () => ({ contact: { name: ' ', email: 'nobody' }, url: 'https://crm.example/1' })
    expect((await lookUp()).contexts[0].contact).toBeNull()
  })

  test('a missing name is stored so that processes of 0.1 can read it, and is null in every answer', async () => {
    await addCrm()
    crm.answer = () => ({ contact: { company_name: 'Dahl ApS' } })
    for (const _ of ['asked', 'stored'])
      expect((await lookUp()).contexts[0].contact).toMatchObject({ name: null, company_name: 'Dahl ApS' })
    const stored = await bellhop.db.sql`
      select contexts -> 0 -> 'contact' ->> 'name' as name from caller_lookups where company_id = ${company.companyId}`
    expect(stored).toEqual([{ name: '' }])
  })

  test.each([
    ['text/plain', ''],
    ['text/html; charset=utf-8', ''],
    ['application/json', '\ufeff'],
    ['', '\ufeff'],
  ])('JSON as %j after %j is accepted', async (type, mark) => {
    await addCrm()
    crm.answer = (_, response) => {
      response.writeHead(200, type === '' ? {} : { 'content-type': type })
      response.end(`${mark}${JSON.stringify({ contact: { name: 'Mikkel Dahl' } })}`)
      return undefined
    }
    expect((await lookUp()).contexts).toMatchObject([{ contact: { name: 'Mikkel Dahl' } }])
  })

  test('a failing one does not affect the others, is logged, and is shown on its integration until it responds', async () => {
    const id = await addCrm()
    await addShop()
    crm.answer = (_, response) => void response.writeHead(503).end()
    vendors.shopify.answer = () => shopCustomer({ displayName: 'M. Dahl' })
    const { contexts, enriched_at } = await lookUp()
    expect(contexts).toMatchObject([{ provider: 'shopify' }])
    const read = async () => (await company.api.get(`/integrations/${id}`)).body
    expect(await read()).toMatchObject({
      last_success_at: null,
      last_error: { at: enriched_at, reason: 'refused', status_code: 503 },
    })
    expect(bellhop.logged.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        integration: id,
        provider: 'custom',
        why: 'refused',
        status: 503,
      }),
    )

    crm.answer = () => ({ contact: { name: 'Mikkel' } })
    bellhop.clock.advance(LOOK_UP_LIMITS.freshAfterFailureMs)
    expect((await lookUp()).contexts).toHaveLength(2)
    expect(await read()).toMatchObject({ last_success_at: expect.any(String), last_error: null })
  })

  test('a slow one times out after three seconds, and the others are shown', async () => {
    const id = await addCrm()
    await addShop()
    crm.answer = () => undefined
    vendors.shopify.answer = () => shopCustomer({ displayName: 'M. Dahl' })
    const asking = lookUp()
    await expect.poll(() => crm.asked.length, { timeout: 30_000 }).toBe(1)
    bellhop.clock.advance(3_000)
    expect((await asking).contexts).toMatchObject([{ provider: 'shopify' }])
    expect((await company.api.get(`/integrations/${id}`)).body.last_error).toMatchObject({
      reason: 'timeout',
    })
  })

  test('a paused one is not queried', async () => {
    const id = await addCrm()
    await company.api.patch(`/integrations/${id}`, { active: false })
    expect(await lookUp()).toEqual({ contexts: [], enriched_at: null, contact: null })
    expect(crm.asked).toEqual([])
  })
})

describe('the contact', () => {
  test('is created for a number without one, and the event is published', async () => {
    await addCrm()
    const events = await heardOf(['contact.created', 'contact.updated'])
    identify({ name: ' Mikkel ', email: 'mikkel@example.com', company_name: 'Dahl', note: 'Red bike' })
    const { contact } = await lookUp('20112233')
    expect(contact).toMatchObject({
      id: expect.stringMatching(/^con_/),
      name: 'Mikkel',
      email: 'mikkel@example.com',
      company_name: 'Dahl',
      note: 'Red bike',
      phone: PHONE,
      phone_formatted: '+45 20 11 22 33',
    })
    expect(await contactsOf()).toEqual([contact])
    expect(await events()).toEqual(['contact.created'])
  })

  test('has its blank fields filled in, and keeps what employees entered', async () => {
    await addCrm()
    await company.api.post('/contacts', { phone: PHONE, name: 'Mikkel from the fair', note: 'Ours' })
    const events = await heardOf(['contact.created', 'contact.updated'])
    identify({ name: 'M. Dahl', email: 'mikkel@example.com', company_name: 'Dahl', note: 'Theirs' })
    expect((await lookUp()).contact).toMatchObject({
      name: 'Mikkel from the fair',
      email: 'mikkel@example.com',
      company_name: 'Dahl',
      note: 'Ours',
    })
    expect(await events()).toEqual(['contact.updated'])
  })

  test('without blanks to fill stays unchanged, and no event is published', async () => {
    await addCrm()
    const { body: before } = await company.api.post('/contacts', { phone: PHONE, name: 'Mikkel' })
    const events = await heardOf(['contact.created', 'contact.updated'])
    identify({ name: 'M. Dahl' })
    expect((await lookUp()).contact).toEqual(before)
    expect(await events()).toEqual([])
  })

  test.each([[{}], [{ name: '' }], [{ name: '  ' }], [{ name: null }], [{ name: 7 }], [{ name: ['x'] }]])(
    'is not created for an identity without a name: %j',
    async (identity) => {
      await addCrm()
      identify({ email: 'mikkel@example.com', ...identity })
      expect(await lookUp()).toMatchObject({ contact: null })
      expect(await contactsOf()).toEqual([])
    },
  )

  test('has no more characters than the contract allows, counted as code points', async () => {
    await addCrm()
    identify({
      name: '👍'.repeat(129),
      email: `${'x'.repeat(60)}@${'y'.repeat(400)}.example`,
      company_name: 'ø'.repeat(500),
      note: '👍'.repeat(10_001),
    })
    const { contact, contexts } = await lookUp()
    expect(contact).toMatchObject({
      name: '👍'.repeat(128),
      // The truncated text is not an address any more.
      email: null,
      company_name: 'ø'.repeat(128),
      note: '👍'.repeat(10_000),
    })
    expect(contexts[0].contact.name).toBe(contact.name)
  })

  test('an address of more than 320 characters is cut first, and kept if that leaves one', async () => {
    await addCrm()
    const label = 'a'.repeat(60)
    const kept = `mikkel@${label}.${label}.${label}.${label}.${label}.`
    const email = (kept + 'example'.repeat(10)).slice(0, 320)
    identify({ name: 'Mikkel', email: `${email}\u00f8` })
    expect((await lookUp()).contact.email).toBe(email)
  })

  test('is a single one, however many concurrent look-ups there are', async () => {
    await addCrm()
    const events = await heardOf(['contact.created', 'contact.updated'])
    let waiting = 0
    let release: () => void
    const all = new Promise<void>((resolve) => (release = resolve))
    crm.answer = async () => {
      if (++waiting === 8) release()
      await all
      return { contact: { name: 'Mikkel' } }
    }
    const answers = await Promise.all(Array.from({ length: 8 }, () => lookUp()))
    expect(crm.asked).toHaveLength(8)
    const contacts = await contactsOf()
    expect(contacts).toHaveLength(1)
    for (const { contact } of answers) expect(contact).toEqual(contacts[0])
    expect(await events()).toEqual(['contact.created'])
  })
})

describe('a recent result', () => {
  test('is reused for a while, with the current contact', async () => {
    await addCrm()
    crm.answer = () => ({ contact: { name: 'Mikkel' } })
    const first = await lookUp()
    await company.api.patch(`/contacts/${first.contact.id}`, { name: 'Changed' })
    bellhop.clock.advance(LOOK_UP_LIMITS.freshMs - 1)
    const second = await lookUp()
    expect(second).toMatchObject({ contexts: first.contexts, enriched_at: first.enriched_at })
    expect(second.contact.name).toBe('Changed')
    expect(crm.asked).toHaveLength(1)
    bellhop.clock.advance(1)
    await lookUp()
    expect(crm.asked).toHaveLength(2)
  })

  test('does not recreate a contact that was deleted meanwhile', async () => {
    await addCrm()
    crm.answer = () => ({ contact: { name: 'Mikkel' } })
    const { contact } = await lookUp()
    await company.api.delete(`/contacts/${contact.id}`)
    expect(await lookUp()).toMatchObject({ contexts: [{}], contact: null })
  })

  test.each([
    ['added', async () => void (await addShop())],
    [
      'changed',
      async (id: string) => void (await company.api.patch(`/integrations/${id}`, { label: 'New' })),
    ],
    ['removed', async (id: string) => void (await company.api.delete(`/integrations/${id}`))],
  ])('is discarded when an integration is %s', async (_, change) => {
    vendors.shopify.answer = () => shopCustomer({ displayName: 'M. Dahl' })
    const id = await addCrm()
    crm.answer = () => ({ contact: { name: 'Mikkel' } })
    const before = await lookUp()
    await change(id)
    expect((await lookUp()).contexts).not.toEqual(before.contexts)
  })

  test('is deleted from the database once it is stale', async () => {
    await addCrm()
    await lookUp()
    const kept = async () =>
      (await bellhop.db.sql`select from caller_lookups where company_id = ${company.companyId}`).length
    const forget = async () => {
      await bellhop.db.sql`select graphile_worker.add_job('context.forget_look_ups', '{}'::json)`
      await bellhop.drainJobs()
    }
    await forget()
    expect(await kept()).toBe(1)
    bellhop.clock.advance(LOOK_UP_LIMITS.freshMs)
    await forget()
    expect(await kept()).toBe(0)
  })
})

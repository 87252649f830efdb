import { randomBytes } from 'node:crypto'

import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { type Harness, harness, type TestCompany } from '../../../test/harness/index.ts'
import { EVENT_NAMES } from '../../events.ts'
import { createVault } from '../../platform/crypto/crypto.ts'
import { decodeId } from '../../platform/ids.ts'

const secret = randomBytes(32).toString('hex')
let bellhop: Harness
let company: TestCompany

beforeAll(async () => {
  bellhop = await harness({ BELLHOP_SECRET: secret })
})

beforeEach(async () => {
  company = await bellhop.newCompany()
})

const NOT_FOUND = { error: 'not_found', message: expect.any(String) }
const UNKNOWN = 'web_01h455vb4pex5vsknk084sn02q'
const valid = { name: 'CRM', url: 'https://crm.example/hooks', events: ['call.ended'] }

async function create(input: object = {}) {
  const { status, body } = await company.api.post('/webhooks', { ...valid, ...input })
  expect(status).toBe(201)
  return body
}

const refused = (field: string, message: string) => ({
  error: 'validation_failed',
  message: `${field} ${message}.`,
  errors: { [field]: [message] },
})

const list = async ({ api } = company) => (await api.get('/webhooks')).body

describe('subscribing a webhook', () => {
  test('returns 201 with every field, active, and with the secret', async () => {
    const events = ['voicemail.new', 'call.ended']
    const { status, body } = await company.api.post('/webhooks', {
      name: ' CRM ',
      url: ' https://crm.example/hooks?x=1 ',
      events,
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^web_[0-9a-z]{26}$/),
      name: 'CRM',
      url: 'https://crm.example/hooks?x=1',
      events,
      active: true,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: body.created_at,
      signing_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    })
  })

  test('gives each its own secret, which no later response shows', async () => {
    const { signing_secret, ...first } = await create()
    const second = await create()
    expect(second.signing_secret).not.toBe(signing_secret)
    expect((await company.api.get(`/webhooks/${first.id}`)).body).toEqual(first)
    const changed = (await company.api.patch(`/webhooks/${first.id}`, { name: 'Other' })).body
    expect(changed).toEqual({ ...first, name: 'Other', updated_at: changed.updated_at })
    expect(JSON.stringify(await list())).not.toContain('secret')
  })

  test('stores the secret encrypted, for this subscription only', async () => {
    const { id, signing_secret } = await create()
    const uuid = decodeId('web', id)!
    const [row] = await bellhop.db.sql<{ secret_sealed: Buffer; whole: string }[]>`
      select secret_sealed, w::text as whole from webhook_subscriptions w where id = ${uuid}`
    const { secret_sealed, whole } = row!
    const bytes = Buffer.from(signing_secret.slice('whsec_'.length), 'base64')
    for (const plain of [signing_secret, signing_secret.slice(6), bytes])
      expect(secret_sealed.includes(plain)).toBe(false)
    expect(whole).not.toContain(signing_secret)
    const vault = createVault(secret)
    expect(vault.open(secret_sealed, `webhook secret ${uuid}`)).toBe(signing_secret)
    expect(() => vault.open(secret_sealed, `webhook secret ${company.companyId}`)).toThrow()
    expect(() => createVault(`${secret}x`).open(secret_sealed, `webhook secret ${uuid}`)).toThrow()
  })

  test('is paused at first if requested', async () => {
    const { id, active } = await create({ active: false })
    expect(active).toBe(false)
    expect((await company.api.get(`/webhooks/${id}`)).body.active).toBe(false)
    expect((await company.api.patch(`/webhooks/${id}`, { active: null })).body.active).toBe(true)
    expect((await create({ active: null })).active).toBe(true)
  })

  test('accepts every event', async () => {
    expect((await create({ events: EVENT_NAMES })).events).toEqual(EVENT_NAMES)
  })

  test('accepts the older name of an event and keeps it', async () => {
    const { id, events } = await create({ events: ['call.outside_opening_hours', 'call.ended'] })
    expect(events).toEqual(['call.outside_opening_hours', 'call.ended'])
    expect((await company.api.get(`/webhooks/${id}`)).body.events).toEqual(events)
  })

  test.each([
    [{ name: undefined }, 'name', 'is required'],
    [{ name: '  ' }, 'name', "can't be blank"],
    [{ name: null }, 'name', 'must be a string'],
    [{ name: 'x'.repeat(256) }, 'name', 'is too long (at most 255 characters)'],
    [{ url: undefined }, 'url', 'is required'],
    [{ url: '' }, 'url', "can't be blank"],
    [{ url: `https://crm.example/${'x'.repeat(2_000)}` }, 'url', 'is too long (at most 2000 characters)'],
    [{ events: undefined }, 'events', 'is required'],
    [{ events: null }, 'events', 'must be an array'],
    [{ events: 'call.ended' }, 'events', 'must be an array'],
    [{ events: [] }, 'events', 'must name at least one event'],
    [{ events: ['call.ended', 'call.ended'] }, 'events', 'must not name an event twice'],
    [
      { events: ['call.outside_business_hours', 'call.outside_opening_hours'] },
      'events',
      'must not name an event twice',
    ],
    [{ events: ['call.ended', 'call.exploded'] }, 'events.1', 'is not the name of an event'],
    [{ events: ['CALL.ENDED'] }, 'events.0', 'is not the name of an event'],
    [{ events: ['*'] }, 'events.0', 'is not the name of an event'],
    [{ active: 'false' }, 'active', 'must be a boolean'],
  ])('with %o is refused and creates nothing', async (input, field, message) => {
    const { status, body } = await company.api.post('/webhooks', { ...valid, ...input })
    expect(status).toBe(422)
    expect(body).toEqual(refused(field, message))
    expect(await list()).toEqual([])
  })

  test.each([[7], [null], [{}], [['call.ended']]])('with the event %j is refused', async (event) => {
    const { status, body } = await company.api.post('/webhooks', { ...valid, events: [event] })
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual(['events.0'])
    expect(await list()).toEqual([])
  })
})

const NOT_HTTPS = [
  'http://crm.example/hooks',
  'ftp://crm.example/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'crm.example/hooks',
  '//crm.example/hooks',
  'https://',
  'not an address',
]

const NOT_PUBLIC = [
  'localhost',
  'LOCALHOST',
  '127.0.0.1',
  '127.255.255.254',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.1.1',
  '169.254.169.254',
  '100.100.100.200',
  '224.0.0.1',
  '255.255.255.255',
  '198.18.0.1',
  '[::1]',
  '[::]',
  '[fe80::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fec0::1]',
  '[ff02::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:10.0.0.1]',
  '[::ffff:a9fe:a9fe]',
  '[::127.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[2002:7f00:1::]',
]

describe('the address of a webhook', () => {
  test.each([
    'https://93.184.216.34/hook',
    'https://[2606:2800:220:1::1]:8443/',
    'https://[::ffff:93.184.216.34]/',
  ])('may be %s', async (url) => {
    expect(await create({ url })).toMatchObject({ url })
  })

  test.each(NOT_HTTPS)('must be https: %s is refused', async (url) => {
    const { status, body } = await company.api.post('/webhooks', { ...valid, url })
    expect(status).toBe(422)
    expect(body).toEqual(refused('url', 'must be an https address'))
    expect(await list()).toEqual([])
  })

  test.each(NOT_PUBLIC)('must not lead to a private address: https://%s is refused', async (host) => {
    for (const url of [`https://${host}/hook`, `https://${host}:8443`]) {
      const { status, body } = await company.api.post('/webhooks', { ...valid, url })
      expect(status, url).toBe(422)
      expect(body).toEqual(refused('url', 'must not lead to a private address'))
    }
    expect(await list()).toEqual([])
  })

  test.each(['https://user:pass@crm.example/', 'https://user@crm.example/', 'https://:pass@crm.example/'])(
    'must not hold a password: %s is refused',
    async (url) => {
      const { status, body } = await company.api.post('/webhooks', { ...valid, url })
      expect(status).toBe(422)
      expect(body).toEqual(refused('url', 'must not hold a user name or password'))
    },
  )

  test.each(['http://crm.example/', 'https://127.0.0.1/', 'https://[::ffff:169.254.169.254]/', 'nonsense'])(
    'cannot be changed to %s either',
    async (url) => {
      const { id, signing_secret: _, ...before } = await create()
      const { status } = await company.api.patch(`/webhooks/${id}`, { url, name: 'changed', active: false })
      expect(status).toBe(422)
      expect(await list()).toEqual([{ id, ...before }])
    },
  )
})

describe('an installation that allows insecure webhooks', () => {
  let permissive: TestCompany

  beforeAll(async () => {
    permissive = await (await harness({ BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' })).newCompany()
  })

  test.each([
    'http://localhost:4000/hook',
    'http://127.0.0.1/',
    'https://192.168.1.1/',
    'http://crm.example/',
  ])('accepts %s', async (url) => {
    const { status, body } = await permissive.api.post('/webhooks', { ...valid, url })
    expect(status).toBe(201)
    expect(body.url).toBe(url)
    expect((await permissive.api.patch(`/webhooks/${body.id}`, { url: `${url}?again` })).status).toBe(200)
  })

  test.each(['ftp://127.0.0.1/', 'file:///etc/passwd', 'nonsense', 'http://user:pass@127.0.0.1/'])(
    'still refuses %s',
    async (url) => {
      expect((await permissive.api.post('/webhooks', { ...valid, url })).status).toBe(422)
    },
  )
})

describe('the list of webhooks', () => {
  test('is a bare array, empty at first', async () => {
    const { status, body } = await company.api.get('/webhooks')
    expect(status).toBe(200)
    expect(body).toEqual([])
  })

  test('has the own subscriptions in the order of creation, without secrets', async () => {
    await (await bellhop.newCompany()).api.post('/webhooks', valid)
    const made = []
    for (const name of ['b', 'c', 'a']) {
      const { signing_secret: _, ...subscription } = await create({ name })
      made.push(subscription)
    }
    await company.api.patch(`/webhooks/${made[0]!.id}`, { name: 'b' })
    const listed = (await list()) as object[]
    expect(listed).toEqual([{ ...made[0], updated_at: expect.any(String) }, made[1], made[2]])
  })
})

const sealedSecrets = () => bellhop.db.sql`select secret_sealed from webhook_subscriptions order by id`

describe('changing a webhook', () => {
  test.each([
    { name: 'Other' },
    { url: 'https://other.example/hook' },
    { events: ['contact.created', 'call.outside_opening_hours'] },
    { active: false },
    { name: 'All', url: 'https://all.example/', events: ['call.lost'], active: false },
  ])('sets %o and keeps the rest', async (change) => {
    const { signing_secret: _, ...before } = await create()
    const { status, body } = await company.api.patch(`/webhooks/${before.id}`, change)
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, ...change, updated_at: expect.any(String) })
    expect((await company.api.get(`/webhooks/${before.id}`)).body).toEqual(body)
  })

  test('pauses and resumes it', async () => {
    const { id } = await create()
    for (const active of [false, true, true, false]) {
      expect((await company.api.patch(`/webhooks/${id}`, { active })).body.active).toBe(active)
      expect(await list()).toMatchObject([{ id, active }])
    }
  })

  test('ignores other fields, including the secret', async () => {
    const { signing_secret: _, ...before } = await create()
    const kept = await sealedSecrets()
    const { status, body } = await company.api.patch(`/webhooks/${before.id}`, {
      id: UNKNOWN,
      signing_secret: 'whsec_mine',
      secret_sealed: 'x',
      created_at: '2001-01-01T00:00:00Z',
    })
    expect(status).toBe(200)
    expect(body).toEqual(before)
    expect(await sealedSecrets()).toEqual(kept)
  })

  test.each([
    { name: '' },
    { name: null },
    { events: [] },
    { events: ['call.ended', 'call.ended'] },
    { events: ['nothing'] },
    { active: 'false' },
    { active: 0 },
    { active: false, events: [] },
  ])('to %o is refused and changes nothing', async (change) => {
    const { signing_secret: _, ...before } = await create()
    expect((await company.api.patch(`/webhooks/${before.id}`, change)).status).toBe(422)
    expect(await list()).toEqual([before])
  })
})

test('a deleted webhook is gone', async () => {
  const [{ id }, kept] = [await create(), await create()]
  const { status, body } = await company.api.delete(`/webhooks/${id}`)
  expect(status).toBe(204)
  expect(body).toBeUndefined()
  expect(await list()).toMatchObject([{ id: kept.id }])
  expect((await company.api.delete(`/webhooks/${id}`)).status).toBe(404)
})

test.each(['get', 'patch', 'delete'] as const)('%s of an unknown webhook is 404', async (method) => {
  const other = await bellhop.newCompany()
  const { body: foreign } = await other.api.post('/webhooks', valid)
  for (const id of [UNKNOWN, foreign.id, 'web_x', UNKNOWN.replace('web', 'con')]) {
    const { status, body } = await company.api[method](
      `/webhooks/${id}`,
      method === 'patch' ? { active: false } : undefined,
    )
    expect(status, id).toBe(404)
    expect(body).toEqual(NOT_FOUND)
  }
  expect(await list(other)).toMatchObject([{ id: foreign.id, active: true }])
})

import { randomBytes } from 'node:crypto'

import { Webhook } from 'standardwebhooks'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { type Harness, harness, type TestCompany } from '../../../../test/harness/index.ts'
import { type ContextServer, contextServer } from '../../../../test/harness/peers/context-server.ts'
import { createVault } from '../../../platform/crypto/crypto.ts'
import { decodeId } from '../../../platform/ids.ts'
import { LOOK_UP_LIMITS } from '../limits.ts'

const secret = randomBytes(32).toString('hex')
let bellhop: Harness
/** As in production. */
let strictBellhop: Harness
let company: TestCompany
let server: ContextServer

beforeAll(async () => {
  bellhop = await harness({ BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1', BELLHOP_SECRET: secret })
  strictBellhop = await harness()
})

beforeEach(async () => {
  company = await bellhop.newCompany()
  server = await contextServer(() => ({ contact: { name: 'Mikkel' } }))
})

const accounts = {
  custom: { provider: 'custom', url: 'https://crm.example/callers' },
  shopify: { provider: 'shopify', shop: 'nordlys.myshopify.com', access_token: 'shpat_secret' },
  woocommerce: {
    provider: 'woocommerce',
    url: 'https://shop.example',
    consumer_key: 'ck_secret',
    consumer_secret: 'cs_secret',
  },
  economic: { provider: 'economic', app_secret_token: 'app_secret', agreement_grant_token: 'grant_secret' },
}

async function add(input: object = { ...accounts.custom, url: server.url }) {
  const { status, body } = await company.api.post('/integrations', input)
  expect(status).toBe(201)
  return body
}

const tryOut = async (id: string, { api } = company) =>
  (await api.post(`/integrations/${id}/test`, { phone: '20112233' })).body

const refused = (field: string, message: string) => ({
  error: 'validation_failed',
  message: `${field} ${message}.`,
  errors: { [field]: [message] },
})

describe('adding an integration', () => {
  test.each([
    ['custom', 'Own system', { url: 'https://crm.example/callers', shop: null }],
    ['shopify', 'Shopify', { url: null, shop: 'nordlys.myshopify.com' }],
    ['woocommerce', 'WooCommerce', { url: 'https://shop.example', shop: null }],
    ['economic', 'e-conomic', { url: null, shop: null }],
  ] as const)('%s returns 201 and never shows a credential', async (provider, label, shown) => {
    const { signing_secret, ...added } = await add(accounts[provider])
    expect(added).toEqual({
      id: expect.stringMatching(/^int_[0-9a-z]{26}$/),
      provider,
      label,
      active: true,
      ...shown,
      last_success_at: null,
      last_error: null,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      updated_at: added.created_at,
    })
    if (provider === 'custom') expect(signing_secret).toMatch(/^whsec_[\w+/=]{44}$/)
    else expect(signing_secret).toBeUndefined()
    const read = await company.api.get(`/integrations/${added.id}`)
    expect(read.body).toEqual(added)
    expect((await company.api.get('/integrations')).body).toEqual([added])
  })

  test('stores credentials encrypted: only the installation’s secret decrypts them, and only in their row', async () => {
    const { id } = await add(accounts.woocommerce)
    const uuid = decodeId('int', id)!
    const [row] = await bellhop.db.sql<{ text: string; secrets_sealed: Buffer }[]>`
      select integrations::text as text, secrets_sealed from integrations
      where company_id = ${company.companyId} and id = ${uuid}`
    expect(row!.text).not.toContain('secret_')
    expect(row!.secrets_sealed.toString('latin1')).not.toContain('cs_secret')
    const vault = createVault(secret)
    expect(JSON.parse(vault.open(row!.secrets_sealed, `integration ${uuid}`))).toEqual({
      consumer_key: 'ck_secret',
      consumer_secret: 'cs_secret',
    })
    expect(() => vault.open(row!.secrets_sealed, 'integration of another')).toThrow()
  })

  test.each([
    [{}, refused('provider', 'must be "custom" or "shopify" or "woocommerce" or "economic"')],
    [
      { provider: 'hubspot' },
      refused('provider', 'must be "custom" or "shopify" or "woocommerce" or "economic"'),
    ],
    [{ provider: 'custom' }, refused('url', 'is required')],
    [{ provider: 'custom', url: 'ftp://crm.example' }, refused('url', 'must be an https address')],
    [
      { provider: 'custom', url: 'https://u:p@crm.example' },
      refused('url', 'must not hold a user name or password'),
    ],
    [
      { ...accounts.shopify, shop: 'evil.example' },
      refused('shop', 'must be a host such as example.myshopify.com'),
    ],
    [
      { ...accounts.shopify, shop: 'evil.example/.myshopify.com' },
      refused('shop', 'must be a host such as example.myshopify.com'),
    ],
    [
      { ...accounts.shopify, access_token: 'a\r\nx-other: b' },
      refused('access_token', 'must have no spaces or unusual characters'),
    ],
    [{ provider: 'economic', app_secret_token: 'a' }, refused('agreement_grant_token', 'is required')],
  ])('is refused for %j', async (input, expected) => {
    const { status, body } = await company.api.post('/integrations', input)
    expect({ status, body }).toEqual({ status: 422, body: expected })
    expect((await company.api.get('/integrations')).body).toEqual([])
  })

  test('is limited to ten, also concurrently', async () => {
    const answers = await Promise.all(
      Array.from({ length: LOOK_UP_LIMITS.integrationsPerCompany + 3 }, () =>
        company.api.post('/integrations', accounts.economic),
      ),
    )
    const many = answers.filter(({ status }) => status === 422)
    expect(many).toHaveLength(3)
    for (const { body } of many)
      expect(body).toEqual({
        error: 'too_many_integrations',
        message: expect.any(String),
        errors: { base: [body.message] },
      })
    expect((await company.api.get('/integrations')).body).toHaveLength(LOOK_UP_LIMITS.integrationsPerCompany)
  })
})

describe('in production', () => {
  test.each([
    ['http://crm.example/', 'must be an https address'],
    ['https://127.0.0.1/', 'must not lead to a private address'],
    ['https://localhost/', 'must not lead to a private address'],
    ['https://[::ffff:10.0.0.1]/', 'must not lead to a private address'],
    ['https://169.254.169.254/latest', 'must not lead to a private address'],
  ])('%s is refused', async (url, message) => {
    const strict = await strictBellhop.newCompany()
    for (const input of [
      { ...accounts.custom, url },
      { ...accounts.woocommerce, url },
    ]) {
      const { status, body } = await strict.api.post('/integrations', input)
      expect({ status, body }).toEqual({ status: 422, body: refused('url', message) })
    }
  })

  test('a host name that resolves to this machine later is not connected to', async () => {
    const strict = await strictBellhop.newCompany()
    const { body } = await strict.api.post('/integrations', { ...accounts.custom, url: 'https://1.1.1.1/' })
    const tls = server.url.replace('http:', 'https:')
    await strictBellhop.db.sql`update integrations set url = ${tls} where company_id = ${strict.companyId}`
    expect(await tryOut(body.id, strict)).toMatchObject({ outcome: 'failed', reason: 'private_address' })
    await strictBellhop.db
      .sql`update integrations set url = ${server.url} where company_id = ${strict.companyId}`
    expect(await tryOut(body.id, strict)).toMatchObject({ outcome: 'failed', reason: 'insecure' })
    expect(server.asked).toEqual([])
  })
})

describe('changing an integration', () => {
  test('sets the given fields, ignores those of other providers, and keeps the rest', async () => {
    const { id } = await add({ ...accounts.woocommerce, url: server.url })
    const changed = await company.api.patch(`/integrations/${id}`, {
      label: 'Shop',
      consumer_secret: 'cs_new',
      shop: 'other.myshopify.com',
      access_token: 'x',
    })
    expect(changed.body).toMatchObject({ label: 'Shop', url: server.url, shop: null, active: true })
    server.answer = () => []
    expect(await tryOut(id)).toMatchObject({ outcome: 'nobody', context: null })
    expect(server.asked[0]!.headers.authorization).toBe(
      `Basic ${Buffer.from('ck_secret:cs_new').toString('base64')}`,
    )
  })

  test('validates a new URL as the first one', async () => {
    const { id } = await add()
    const { status, body } = await company.api.patch(`/integrations/${id}`, { url: 'javascript:alert(1)' })
    expect({ status, body }).toEqual({ status: 422, body: refused('url', 'must be an https address') })
  })

  test('a rotated secret signs at once, and the old one for another day', async () => {
    const { id, signing_secret: old } = await add()
    const rotated = (await company.api.post(`/integrations/${id}/secret_rotation`)).body
    expect(rotated.signing_secret).toMatch(/^whsec_/)
    expect(rotated.signing_secret).not.toBe(old)
    const signedWith = async () => {
      await tryOut(id)
      const { headers, body } = server.asked.at(-1)!
      const at = new Date(Number(headers['webhook-timestamp']) * 1000)
      return [old, rotated.signing_secret].map((one: string) =>
        headers['webhook-signature']!.includes(
          new Webhook(one).sign(headers['webhook-id'] as string, at, body),
        ),
      )
    }
    expect(await signedWith()).toEqual([true, true])
    bellhop.clock.advance(LOOK_UP_LIMITS.secretOverlapMs)
    expect(await signedWith()).toEqual([false, true])
  })

  test('a provider without signed requests has no secret to rotate', async () => {
    const { id } = await add(accounts.economic)
    const { status, body } = await company.api.post(`/integrations/${id}/secret_rotation`)
    expect({ status, error: body.error }).toEqual({ status: 409, error: 'no_signing_secret' })
  })

  test('deleting it deletes its credentials', async () => {
    const { id } = await add()
    expect((await company.api.delete(`/integrations/${id}`)).status).toBe(204)
    expect((await company.api.get(`/integrations/${id}`)).status).toBe(404)
    expect(
      await bellhop.db.sql`select from integrations where company_id = ${company.companyId}`,
    ).toHaveLength(0)
  })
})

describe('testing an integration', () => {
  test('shows its result, and stores nothing', async () => {
    const { id } = await add()
    expect(await tryOut(id)).toEqual({
      outcome: 'found',
      reason: null,
      status_code: null,
      duration_ms: expect.any(Number),
      context: expect.objectContaining({
        provider: 'custom',
        contact: expect.objectContaining({ name: 'Mikkel' }),
      }),
    })
    expect((await company.api.get('/contacts')).body).toEqual([])
    expect((await company.api.get(`/integrations/${id}`)).body.last_success_at).toBeNull()
  })

  test('says why it fails', async () => {
    const { id } = await add()
    server.answer = (_, response) => void response.writeHead(403).end()
    expect(await tryOut(id)).toMatchObject({ outcome: 'failed', reason: 'refused', status_code: 403 })
  })

  test('refuses an invalid phone number', async () => {
    const { id } = await add()
    const { status, body } = await company.api.post(`/integrations/${id}/test`, { phone: 'call me' })
    expect({ status, body }).toEqual({ status: 422, body: refused('phone', 'is not a phone number') })
  })

  test('credentials sealed with another secret fail only that integration', async () => {
    const { id } = await add()
    await bellhop.db.sql`
      update integrations set secrets_sealed = ${randomBytes(64)} where company_id = ${company.companyId}`
    await add()
    expect(await tryOut(id)).toMatchObject({ outcome: 'failed', reason: 'unreadable' })
    const { body } = await company.api.get('/caller_context?phone=20112233')
    expect(body.contexts).toHaveLength(1)
  })
})

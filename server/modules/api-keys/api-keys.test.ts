import { createHash } from 'node:crypto'

import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { type ApiClient, apiClient } from '../../../test/harness/api-client.ts'
import { type Harness, harness, type TestCompany } from '../../../test/harness/index.ts'
import { decodeId, encodeId } from '../../platform/ids.ts'
import { revokeApiKey } from './index.ts'

let bellhop: Harness
let company: TestCompany

beforeAll(async () => {
  bellhop = await harness()
})

beforeEach(async () => {
  company = await bellhop.newCompany()
})

const CHALLENGE = 'Bearer error="invalid_token"'
/** Generous, for a busy machine. The clock stands still, so only the notification ends a cached key. */
const deadline = { timeout: 30_000, interval: 5 }

const withKey = (key: string) => bellhop.anonymous.request('/company', { headers: { 'x-api-key': key } })
const statusWith = async (api: ApiClient) => (await api.get('/company')).status

/** Another key of the company's employee. */
const newKey = () => bellhop.keyFor(company.employeeId)

async function expectDead({ here, there }: { here: ApiClient; there: ApiClient }) {
  await expect.poll(() => statusWith(here), deadline).toBe(401)
  await expect.poll(() => statusWith(there), deadline).toBe(401)
  expect((await there.get('/company')).body).toEqual({ error: 'Invalid API key' })
}

describe('an API key', () => {
  test('acts for the company of the employee who made it', async () => {
    const other = await bellhop.newCompany()
    expect((await company.api.get('/company')).body.id).toBe(encodeId('com', company.companyId))
    expect((await other.api.get('/company')).body.id).toBe(encodeId('com', other.companyId))
  })

  test('is one of several that an employee may have', async () => {
    const [one, two] = [await newKey(), await newKey()]
    expect(one.key).not.toBe(two.key)
    expect(await statusWith(one.api)).toBe(200)
    expect(await statusWith(two.api)).toBe(200)
  })

  test('is stored as a hash only: neither the key nor its secret is in the database', async () => {
    const { id, key } = await newKey()
    const secret = key.slice('bh_'.length + 26 + 1)
    expect(secret).toHaveLength(43)
    const [row] = await bellhop.db.sql<{ secret_hash: Buffer }[]>`select * from api_keys where id = ${id}`
    expect(row!.secret_hash).toEqual(createHash('sha256').update(secret).digest())
    const [found] = await bellhop.db.sql<{ text: string }[]>`
      select row_to_json(api_keys)::text as text from api_keys where id = ${id}`
    const secretInHex = Buffer.from(secret).toString('hex')
    const rawSecretInHex = Buffer.from(secret, 'base64url').toString('hex')
    for (const plain of [secret, secretInHex, rawSecretInHex]) expect(found!.text).not.toContain(plain)
  })

  test('is never in a response or in the log', async () => {
    const { key, api } = await newKey()
    await api.get('/company')
    await api.get('/employees')
    await api.post('/contacts', { phone: 'no' })
    await withKey(`${key}x`)
    const secret = key.slice(-43)
    expect(bellhop.logged.length).toBeGreaterThan(3)
    expect(bellhop.logged.join('\n')).not.toContain(secret)
    expect(JSON.stringify([await api.get('/company'), await api.get('/employees')])).not.toContain(secret)
  })
})

describe('without a valid key', () => {
  const wrongKeys: [string, (key: string) => string][] = [
    ['an unknown key', (key) => `bh_01h455vb4pex5vsknk084sn02q_${key.slice(-43)}`],
    ['a key with the id alone', (key) => key.slice(0, 29)],
    ['a key with a wrong secret', (key) => key.slice(0, -43) + 'A'.repeat(43)],
    ['a key with one character changed', (key) => key.slice(0, -1) + (key.endsWith('A') ? 'E' : 'A')],
    ['a key with one character too few', (key) => key.slice(0, -1)],
    ['a key with one character too many', (key) => `${key}A`],
    ['a key in other case', (key) => key.toUpperCase()],
    ['two keys', (key) => `${key}, ${key}`],
    ['a key as a bearer token', (key) => `Bearer ${key}`],
    ['an empty key', () => ''],
    ['a word', () => 'secret'],
    ['an id that is none', (key) => `bh_${'z'.repeat(26)}_${key.slice(-43)}`],
    ['quotes and semicolons', () => "' or 1=1; --"],
    ['a long key', () => 'bh_'.repeat(2_000)],
    ['characters beyond ASCII', () => 'nøgle'],
  ]

  test.each(wrongKeys)('%s is 401 with exactly the body of the contract', async (_, wrong) => {
    const { status, headers, body } = await withKey(wrong(company.key))
    expect(status).toBe(401)
    expect(body).toEqual({ error: 'Invalid API key' })
    expect(headers.get('www-authenticate')).toBe(CHALLENGE)
  })

  test('a request without a key is 401, and says where to send one', async () => {
    const { status, headers, body } = await bellhop.anonymous.get('/company')
    expect(status).toBe(401)
    expect(body).toEqual({
      error: 'unauthorized',
      message: 'Send an API key in the header X-Api-Key, or an access token as Authorization: Bearer.',
    })
    expect(headers.get('www-authenticate')).toBe(CHALLENGE)
  })

  test('a key anywhere else than in its header is ignored', async () => {
    const inQuery = await bellhop.anonymous.get(`/company?api_key=${company.key}&x-api-key=${company.key}`)
    expect(inQuery.status).toBe(401)
    const asCookie = await bellhop.anonymous.request('/company', {
      headers: { cookie: `x-api-key=${company.key}` },
    })
    expect(asCookie.status).toBe(401)
  })

  test('nothing is changed, and the body is not even parsed', async () => {
    for (const body of ['{"phone":"+4520112233"}', '{', 'x'.repeat(2_000_000)]) {
      const answer = await bellhop.anonymous.request('/contacts', {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', 'x-api-key': 'wrong' },
      })
      expect(answer.status).toBe(401)
    }
    expect((await company.api.get('/contacts')).body).toEqual([])
  })
})

describe('a revoked key', () => {
  let elsewhere: string

  beforeAll(async () => {
    elsewhere = await bellhop.startAnotherApi()
  })

  afterEach(() => bellhop.db.sql`alter table api_keys enable trigger api_key_gone`)

  /** A key that two processes have cached. The clock stands still, so the caches do not expire. */
  async function keyInUse(employeeId = company.employeeId) {
    const { id, key, api: here } = await bellhop.keyFor(employeeId)
    const there = apiClient(elsewhere, key)
    expect([await statusWith(here), await statusWith(there)]).toEqual([200, 200])
    return { id, here, there }
  }

  test('is refused by every process as soon as the revocation is published, although all of them have cached it', async () => {
    const used = await keyInUse()
    await bellhop.db.tx((tx) => revokeApiKey(tx, used.id))
    await expectDead(used)
  })

  test('leaves the other keys of its employee valid', async () => {
    const [revoked, kept] = [await keyInUse(), await keyInUse()]
    await bellhop.db.tx((tx) => revokeApiKey(tx, revoked.id))
    await expectDead(revoked)
    expect([await statusWith(kept.here), await statusWith(kept.there)]).toEqual([200, 200])
  })

  test('stays valid if its revocation was rolled back', async () => {
    const used = await keyInUse()
    const change = bellhop.db.tx(async (tx) => {
      await revokeApiKey(tx, used.id)
      throw new Error('changed my mind')
    })
    await expect(change).rejects.toThrow('changed my mind')
    bellhop.clock.advance(1_000)
    expect([await statusWith(used.here), await statusWith(used.there)]).toEqual([200, 200])
  })

  test('is refused in the same way when its employee is deleted', async () => {
    const { body } = await company.api.post('/employees', {
      name: 'Bo',
      email: `bo-${company.companyId}@example.com`,
    })
    const used = await keyInUse(decodeId('emp', body.id))
    expect((await company.api.delete(`/employees/${body.id}`)).status).toBe(204)
    await expectDead(used)
  })

  test('is refused a second later even if no process was notified', async () => {
    const used = await keyInUse()
    await bellhop.db.sql`alter table api_keys disable trigger api_key_gone`
    await bellhop.db.tx((tx) => revokeApiKey(tx, used.id))
    // Still cached, so the key ends by its expiry and not by a notification.
    expect([await statusWith(used.here), await statusWith(used.there)]).toEqual([200, 200])
    bellhop.clock.advance(1_000)
    expect([await statusWith(used.here), await statusWith(used.there)]).toEqual([401, 401])
  })

  test('is refused once a process listens again after it missed the notification', async () => {
    const used = await keyInUse()
    await bellhop.db.sql`alter table api_keys disable trigger api_key_gone`
    await bellhop.db.tx((tx) => revokeApiKey(tx, used.id))
    await bellhop.db.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like 'bellhop % secret=%'`
    await expect.poll(() => statusWith(used.here), { timeout: 30_000, interval: 20 }).toBe(401)
    await expect.poll(() => statusWith(used.there), { timeout: 30_000, interval: 20 }).toBe(401)

    await bellhop.db.sql`alter table api_keys enable trigger api_key_gone`
    const next = await keyInUse()
    await bellhop.db.tx((tx) => revokeApiKey(tx, next.id))
    await expectDead(next)
  })
})

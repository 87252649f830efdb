import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'

import { beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'

import { connect as connectToPostgres } from '../server/platform/db/database.ts'
import { type Harness, harness, type TestCompany } from './harness/index.ts'

let bellhop: Harness
let company: TestCompany

beforeAll(async () => {
  bellhop = await harness()
  company = await bellhop.newCompany()
})

const read = async (path: string, init?: RequestInit) => {
  const response = await fetch(`${bellhop.url}${path}`, init)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Whether no query still runs for a client that has disconnected. */
async function idleConnections(): Promise<boolean> {
  const [row] = await bellhop.db.sql<{ busy: number }[]>`
    select count(*)::int as busy from pg_stat_activity
    where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`
  return row!.busy === 0
}

describe('/healthz', () => {
  test('says that the process is alive, to anyone', async () => {
    const { status, text } = await read('/healthz')
    expect(status).toBe(200)
    expect(JSON.parse(text)).toEqual({ status: 'ok' })
  })
})

describe('/readyz', () => {
  test('says that it can serve', async () => {
    const { status, text } = await read('/readyz')
    expect(status).toBe(200)
    expect(JSON.parse(text)).toEqual({ status: 'ready' })
  })

  test('is 503 while a migration is pending, and the process is still alive', async () => {
    const [newest] = await bellhop.db.sql<{ name: string }[]>`
      delete from schema_migrations where name = (select max(name) from schema_migrations) returning name`
    const { status, text } = await read('/readyz')
    const health = await read('/healthz')
    await bellhop.db.sql`insert into schema_migrations ${bellhop.db.sql(newest!)}`
    expect(status).toBe(503)
    expect(JSON.parse(text)).toEqual({
      status: 'not_ready',
      reason: `migrations are pending: ${newest!.name}`,
    })
    expect(health.status).toBe(200)
    expect((await read('/readyz')).status).toBe(200)
  })

  test('stays ready while a newer version, which has migrated the database, is rolled out', async () => {
    await bellhop.db.sql`insert into schema_migrations (name) values ('9999-from-the-future.sql')`
    const { status } = await read('/readyz')
    await bellhop.db.sql`delete from schema_migrations where name like '9999-%'`
    expect(status).toBe(200)
  })

  test('is 503 while the database does not respond, and recovers with it', async () => {
    const { database } = bellhop.db.address as { database: string }
    const admin = connectToPostgres({ ...inject('postgres'), database: 'postgres' }, { max: 1 })
    const allowConnections = (allowed: boolean) =>
      admin.unsafe(`alter database ${database} with allow_connections ${allowed}`)
    try {
      await allowConnections(false)
      await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${database}`
      const { status, text } = await read('/readyz')
      expect(status).toBe(503)
      expect(JSON.parse(text)).toEqual({ status: 'not_ready', reason: 'the database does not respond' })
      expect((await read('/healthz')).status).toBe(200)
      const { status: failed, body } = await company.api.get('/contacts')
      expect(failed).toBe(500)
      expect(body).toEqual({ error: 'internal_error', message: expect.stringMatching(/^[A-Z].*\.$/) })
    } finally {
      await allowConnections(true)
      await admin.end()
    }
    await expect.poll(async () => (await read('/readyz')).status, { timeout: 30_000 }).toBe(200)
    expect((await company.api.get('/contacts')).status).toBe(200)
  })
})

describe('/metrics', () => {
  let guarded: Harness

  beforeAll(async () => {
    guarded = await harness({ METRICS_TOKEN: 'a-token-for-metrics' })
  })

  test('counts requests by their route pattern, in the format of Prometheus', async () => {
    const { body: contact } = await company.api.post('/contacts', { phone: '+4520998877' })
    for (let i = 0; i < 3; i++) await company.api.get(`/contacts/${contact.id}`)
    await company.api.get('/contacts/con_01h455vb4pex5vsknk084sn02q')
    await company.api.get('/nowhere/4520998877')
    await company.api.delete(`/contacts/${contact.id}`)

    const { status, headers, text } = await read('/metrics')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    for (const line of text.split('\n')) {
      expect(line).toMatch(
        /^$|^# (HELP|TYPE) [a-z]\w* |^[a-zA-Z]\w*(\{(\w+="[^"]*",?)+\})? (NaN|-?[\d.e+-]+)( \d+)?$/,
      )
    }
    const count = (labels: string) =>
      text
        .split('\n')
        .find((line) => line.startsWith(`bellhop_http_request_duration_seconds_count{${labels}}`))
    expect(count('method="GET",route="/api/v1/contacts/:id",status="200"')).toMatch(/ 3$/)
    expect(count('method="GET",route="/api/v1/contacts/:id",status="404"')).toMatch(/ 1$/)
    expect(count('method="GET",route="none",status="404"')).toMatch(/ 1$/)
    expect(text).toContain('bellhop_http_request_duration_seconds_bucket{le="0.01",')
    expect(text).toContain('process_cpu_seconds_total')
    expect(text).not.toContain(contact.id)
    expect(text).not.toContain('20998877')
  })

  test('counts the recordings that wait for transcription, and those without a transcript by reason', async () => {
    const { sql } = bellhop.db
    const failed = { status: 'failed', failure: 'language', reason: 'No engine here knows da.' }
    for (const values of [{}, {}, failed])
      await sql`
        insert into transcript_orders ${sql({ company_id: company.companyId, kind: 'call', subject_id: randomUUID(), ...values })}`
    const { text } = await read('/metrics')
    expect(text).toContain('\nbellhop_transcripts_waiting 2\n')
    expect(text).toContain('\nbellhop_transcripts_failed{failure="language"} 1\n')
    await sql`delete from transcript_orders`
  })

  test('requires METRICS_TOKEN if that is set', async () => {
    for (const authorization of [undefined, 'Bearer wrong', 'a-token-for-metrics', 'bearer', '']) {
      const headers = authorization === undefined ? undefined : { authorization }
      const refused = await fetch(`${guarded.url}/metrics`, { headers })
      expect(refused.status).toBe(401)
      expect(refused.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
      expect(await refused.json()).toEqual({ error: 'unauthorized', message: expect.any(String) })
    }
    const headers = { authorization: 'Bearer a-token-for-metrics' }
    const answered = await fetch(`${guarded.url}/metrics`, { headers })
    expect(answered.status).toBe(200)
    expect(await answered.text()).toContain('# TYPE')
    expect((await fetch(`${guarded.url}/healthz`)).status).toBe(200)
  })
})

describe('the log', () => {
  let from: number

  beforeEach(() => {
    from = bellhop.logged.length
  })

  const lines = () => bellhop.logged.slice(from).map((line) => JSON.parse(line) as Record<string, unknown>)

  /** Waits for the log line of each request, which is written after the response. */
  const requestLines = async (count: number) => {
    await expect.poll(() => lines().filter((line) => line.msg === 'request').length).toBe(count)
    return lines().filter((line) => line.msg === 'request')
  }

  test('has one JSON line for each request, with the x-request-id of the response', async () => {
    const answers = [
      await company.api.get('/contacts'),
      await company.api.get('/contacts/con_01h455vb4pex5vsknk084sn02q'),
      await company.api.post('/contacts', {}),
      await company.api.get('/nowhere'),
      await company.api.get('/contacts/%zz'),
      await company.api.get(`/contacts/${'x'.repeat(500)}`),
      await bellhop.anonymous.get('/company'),
    ]
    const logged = await requestLines(answers.length)
    expect(logged).toMatchObject([
      { method: 'GET', route: '/api/v1/contacts', status: 200 },
      { method: 'GET', route: '/api/v1/contacts/:id', status: 404 },
      { method: 'POST', route: '/api/v1/contacts', status: 422 },
      { method: 'GET', route: null, status: 404 },
      { method: 'GET', route: null, status: 400 },
      { method: 'GET', route: null, status: 404 },
      { method: 'GET', route: '/api/v1/company', status: 401 },
    ])
    for (const [i, line] of logged.entries()) {
      expect(line).toMatchObject({
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        reqId: answers[i]!.headers.get('x-request-id'),
        ms: expect.any(Number),
      })
    }
    expect(new Set(logged.map((line) => line.reqId)).size).toBe(answers.length)
  })

  test('does not let the client choose the request id', async () => {
    const { headers } = await company.api.request('/company', {
      headers: { 'x-request-id': 'mine', 'request-id': 'mine' },
    })
    expect(headers.get('x-request-id')).not.toBe('mine')
    const [line] = await requestLines(1)
    expect(line!.reqId).toBe(headers.get('x-request-id'))
  })

  test('contains no key and no phone number, whatever was sent where', async () => {
    const { api, key } = company
    const { body: contact } = await api.post('/contacts', { phone: '+4520998877', note: 'Call +4520998877' })
    await api.post('/contacts', { phone: '+4520998877' })
    await api.patch(`/contacts/${contact.id}`, { phone: '20998876' })
    await api.get('/contacts?phone=+4520998877')
    await api.get('/contacts?phone=%2B4520998877')
    await api.get('/contacts?phone=%2b4520998877&phone=20998877')
    await api.get('/contacts/+4520998877')
    await api.get('/contacts/%2B4520998877')
    await api.get('/+4520998877/4520998877')
    await api.get('/contacts/%2B4520998877%zz')
    await api.request('/contacts', {
      method: 'POST',
      body: '{"phone":"+4520998877"',
      headers: { 'content-type': 'application/json' },
    })
    await api.request(`/contacts?key=${key}`, { headers: { referer: 'https://x/?phone=+4520998877' } })
    await bellhop.anonymous.request('/company', { headers: { 'x-api-key': `${key}x` } })
    await bellhop.anonymous.request('/company', { headers: { authorization: `Bearer ${key}` } })
    await requestLines(14)
    expectNothingPrivate()
  })

  test('contains no secret of a URL, even if the database fails', async () => {
    const secret = 'secretsecretsecretsecretsecretsecretsecret1'
    const paths = [
      `/files/recordings/x.wav?expires=9999999999&signature=${secret}`,
      `/invitations/${secret}`,
      `/password-resets/${secret}`,
      `/oauth/authorize?client_id=x&state=${secret}&code_challenge=${secret}`,
      `/cable?access_token=${secret}`,
      `/sip?access_token=${secret}`,
      `/api/v1/company?access_token=${secret}`,
      `/nowhere?code=${secret}`,
      `/nowhere/${secret}/%zz`,
    ]
    for (const path of paths) await read(path)
    await bellhop.db.sql`alter table oauth_clients rename to closed_clients`
    const failed = await read(`/oauth/authorize?client_id=https://app.example/${secret}&state=${secret}`)
    await bellhop.db.sql`alter table closed_clients rename to oauth_clients`
    expect(failed.status).toBe(500)
    await requestLines(paths.length + 1)
    expect(bellhop.logged.slice(from).join('\n')).not.toContain(secret)
  })

  test('contains neither after an internal error', async () => {
    // The error of the database quotes the row, and so reaches the log.
    await bellhop.db.sql`alter table contacts add constraint closed check (company_name is null)`
    const failed = await company.api.post('/contacts', {
      phone: '+4520998877',
      company_name: 'Dahl +4520998877',
      note: 'Call +4520998877 (or https://x/?phone=%2B4520998877)',
    })
    await bellhop.db.sql`alter table contacts drop constraint closed`
    await bellhop.db.sql`alter table contacts rename column note to notes`
    const listed = await company.api.get('/contacts?phone=%2B4520998877')
    await bellhop.db.sql`alter table contacts rename column notes to note`
    for (const { status, body } of [failed, listed]) {
      expect(status).toBe(500)
      expect(body).toEqual({
        error: 'internal_error',
        message: 'Something went wrong on our side. Try again in a moment.',
      })
    }
    await requestLines(2)
    const errors = lines().filter((line) => line.level === 'error')
    expect(errors.map((line) => line.reqId)).toEqual([
      failed.headers.get('x-request-id'),
      listed.headers.get('x-request-id'),
    ])
    expect(JSON.stringify(errors)).toContain('Failing row contains')
    expect(JSON.stringify(errors)).toContain('+45…77')
    expectNothingPrivate()
  })

  test('reports a client that disconnects during the response, and contains neither', async () => {
    const reader = await bellhop.newCompany()
    // 10 MB, more than the buffers of the connection hold. Each note takes some milliseconds to index.
    for (let first = 0; first < 1_000; first += 100)
      await bellhop.db.sql`
        insert into contacts (company_id, phone, phone_formatted, note)
        select ${reader.companyId}, '+45' || 20000000 + n, '', repeat('+4520998877 ', 800)
        from generate_series(${first}::int, ${first + 99}::int) as n`
    const { hostname, port } = new URL(bellhop.url)
    const seen = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () =>
        socket.write(
          `GET /api/v1/contacts?from=+4520998877 HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${reader.key}\r\n\r\n`,
        ),
      )
      socket.on('error', reject)
      socket.once('data', (chunk: Buffer) => {
        socket.destroy()
        resolve(chunk.toString())
      })
    })
    expect(seen).toMatch(/^HTTP\/1\.1 200 OK/)
    const [line] = await requestLines(1)
    expect(line).toMatchObject({ method: 'GET', route: '/api/v1/contacts', status: 200, aborted: true })
    expect(lines().filter(({ level }) => level === 'error')).toEqual([])
    expectNothingPrivate(reader.key)
    await expect.poll(idleConnections).toBe(true)
    expect((await reader.api.get('/company')).status).toBe(200)
  })

  function expectNothingPrivate(key = company.key) {
    const text = bellhop.logged.slice(from).join('\n')
    expect(text).toContain('request')
    expect(text).not.toContain(key)
    expect(text).not.toContain(key.slice(-43))
    expect(text).not.toMatch(/2099887[67]/)
  }
})

import { connect } from 'node:net'

import { afterEach, describe, expect, test } from 'vitest'

import {
  type Body,
  expectNoErrors,
  JSON_TYPE,
  nested,
  openRefusalFixture,
} from './harness/routes/refusals.ts'

const stage = openRefusalFixture()
const { send, expectRefusal } = stage

afterEach(stage.expectNoChange)

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** Creates a contact with a body that must be accepted, and deletes it again. */
const create = async (body: Body, headers: Record<string, string> = JSON_TYPE) => {
  const contact = await send('/api/v1/contacts', { method: 'POST', body, headers })
  expect(contact.status).toBe(201)
  const read = (await contact.json()) as { id: string; phone: string; name: string | null }
  await stage.company.api.delete(`/contacts/${read.id}`)
  await stage.lookAgain()
  return read
}

/** If a route matches, the credential is checked first. */
const expectedWithoutKey = (path: string): [number, string] =>
  /^\/api\/v1\/contacts\/(\.\.%2f.*)?$/.test(path) ? [401, 'unauthorized'] : [404, 'not_found']

/** Sends bytes as they are and reads until the server closes. */
function converse(text: string): Promise<Response> {
  const { hostname, port } = new URL(stage.bellhop.url)
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(Number(port), hostname)
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => (answer += chunk))
    socket.on('error', reject)
    socket.on('close', () => {
      const [head = '', body] = answer.split('\r\n\r\n')
      const [, status, ...headers] = head.split(/HTTP\/1\.1 (\d+)[^\r]*\r\n/)
      const pairs = headers[0]?.split('\r\n').map((line) => line.split(': ') as [string, string])
      resolve(new Response(body, { status: Number(status), headers: pairs }))
    })
    socket.end(text)
  })
}

test('a form content type on a request without a body is accepted', async () => {
  expect((await send('/api/v1/company', { headers: FORM })).status).toBe(200)
})

test('a body of ten million characters is 413, with or without a Content-Length', async () => {
  const body = JSON.stringify({ phone: '+4520112233', name: 'x'.repeat(10_000_000) })
  const request = { method: 'POST', headers: JSON_TYPE }
  await expectRefusal(await send('/api/v1/contacts', { ...request, body }), 413, 'body_too_large')
  const stream = { ...request, body: new Blob([body]).stream(), duplex: 'half' as const }
  await expectRefusal(await send('/api/v1/contacts', stream), 413, 'body_too_large')
})

describe('JSON that is unusual but valid', () => {
  test('is accepted: the last of two equal keys counts', async () => {
    const { phone } = await create('{"phone":"+4520112233","phone":"+4520112244"}')
    expect(phone).toBe('+4520112244')
  })

  test('is accepted: a byte order mark, spaces and a charset', async () => {
    const { phone } = await create('\ufeff \n{"phone":"+4520112233"}\n ', {
      'content-type': 'Application/JSON; charset=UTF-8',
    })
    expect(phone).toBe('+4520112233')
  })

  test('is accepted: keys that every object inherits, and deep values of unknown keys', async () => {
    const { phone } = await create(
      `{"phone":"+4520112233","constructor":1,"toString":2,"hasOwnProperty":null,"deep":${nested('[', ']')}}`,
    )
    expect(phone).toBe('+4520112233')
    expect(({} as { admin?: unknown }).admin).toBeUndefined()
  })

  test.each([
    '"__proto__":{"name":"Eve","admin":true}',
    '"\\u005f_proto__":{"name":"Eve","admin":true}',
    '"__proto__":null',
    '"deep":[{"__proto__":{"admin":true}}]',
    '"constructor":{"prototype":{"admin":true}}',
  ])('is accepted: the unknown field %s, which has no effect', async (field) => {
    const { phone, name } = await create(`{"phone":"+4520112233",${field}}`)
    expect([phone, name]).toEqual(['+4520112233', null])
    expect(({} as { admin?: unknown }).admin).toBeUndefined()
  })

  test('is accepted: a body of just under 1 MiB', async () => {
    const { phone } = await create(JSON.stringify({ phone: '+4520112233', ignored: 'x'.repeat(1_000_000) }))
    expect(phone).toBe('+4520112233')
  })

  test('is accepted: escapes of both halves of a surrogate pair', async () => {
    const { name } = await create('{"phone":"+4520112233","name":"\\ud83d\\udc4d"}')
    expect(name).toBe('👍')
  })
})

describe('an unknown path', () => {
  test.each([
    '/api',
    '/api/',
    '/api/v1',
    '/api/v1/',
    '/api/v2/contacts',
    '/api/v1/nothing',
    '/api/v1/Contacts',
    '/api/v1/contacts/',
    '/api/v1//contacts',
    '/api/v1/contacts/con_01h455vb4pex5vsknk084sn02q/',
    '/api/v1/contacts/con_01h455vb4pex5vsknk084sn02q/nothing',
    '/api/v1/contacts/..%2f..%2fetc%2fpasswd',
    '/api/v1/contacts%00',
    '/api/v1/constructor',
    '/api/v1/__proto__',
    '/api/v1/%F0%9F%A6%84',
    `/api/v1/${'x'.repeat(8_000)}`,
    '/nothing',
    '/.env',
    '/index.html',
  ])('is 404 not_found: %.60s', async (path) => {
    await expectRefusal(await send(path), 404, 'not_found')
    await expectRefusal(await fetch(`${stage.bellhop.url}${path}`), ...expectedWithoutKey(path))
  })

  test.each([
    ['PUT', '/api/v1/contacts'],
    ['PATCH', '/api/v1/contacts'],
    ['DELETE', '/api/v1/contacts'],
    ['DELETE', '/api/v1/company'],
    ['POST', '/api/v1/company'],
    ['POST', '/api/v1/contacts/con_01h455vb4pex5vsknk084sn02q'],
    ['OPTIONS', '/api/v1/contacts'],
    ['PROPFIND', '/api/v1/contacts'],
    ['POST', '/healthz'],
  ])('is 404 not_found for a method that it does not support: %s %s', async (method, path) => {
    await expectRefusal(await send(path, { method }), 404, 'not_found')
  })

  test.each(['QUERY', 'SEARCH', 'REPORT', 'LINK'])(
    'is not an internal error for the method %s',
    async (method) => {
      const response = await send('/api/v1/contacts', { method })
      expect(response.status).toBeGreaterThanOrEqual(400)
      await expectRefusal(
        response,
        response.status,
        response.status === 404 ? 'not_found' : 'invalid_request',
      )
      expect(response.status).toBeLessThan(500)
    },
  )

  test.each(['/api/v1/contacts/%', '/api/v1/contacts/%zz', '/api/v1/%c3%28', '/api/v1/contacts/%ff'])(
    'is 400 invalid_url for a malformed escape: %s',
    async (path) => {
      await expectRefusal(await send(path), 400, 'invalid_url')
    },
  )
})

describe('HEAD', () => {
  test.each(['/api/v1/contacts', '/api/v1/company'])(
    'returns the headers of GET for %s, without a body',
    async (path) => {
      const [get, head] = [await send(path), await send(path, { method: 'HEAD' })]
      expect(head.status).toBe(200)
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
      expect(await head.text()).toBe('')
      expect((await fetch(`${stage.bellhop.url}${path}`, { method: 'HEAD' })).status).toBe(401)
    },
  )
})

describe('a malformed HTTP request', () => {
  test.each([
    ['nonsense', 'HELLO\r\n\r\n'],
    ['an unknown method', 'BREW /api/v1/contacts HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a header without a name', 'GET /api/v1/contacts HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n'],
    [
      'two lengths that disagree',
      'POST /api/v1/contacts HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
    ],
    [
      'a length and chunks',
      'POST /api/v1/contacts HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a raw byte in the path', 'GET /api/v1/contacts/\u00ff HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('is 400 invalid_request: %s', async (_, text) => {
    await expectRefusal(await converse(text), 400, 'invalid_request')
  })

  test('is 431 for headers or a path of more than 16 KiB', async () => {
    await expectRefusal(
      await send('/api/v1/contacts', { headers: { x: 'x'.repeat(17_000) } }),
      431,
      'headers_too_large',
    )
    await expectRefusal(await send(`/api/v1/contacts/${'x'.repeat(17_000)}`), 431, 'headers_too_large')
    await expectRefusal(await send(`/api/v1/contacts?phone=${'1'.repeat(17_000)}`), 431, 'headers_too_large')
  })

  test('that breaks off in its body stores nothing, and the server continues', async () => {
    const logged = stage.bellhop.logged.length
    const body = '{"phone":"+4520112233"}'
    const { hostname, port } = new URL(stage.bellhop.url)
    await new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `POST /api/v1/contacts HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${stage.company.key}\r\n` +
            `Content-Type: application/json\r\nContent-Length: ${body.length + 1}\r\n\r\n${body}`,
          () => socket.destroy(),
        )
      })
      socket.on('error', reject)
      socket.on('close', () => resolve())
    })
    await expect.poll(() => stage.bellhop.logged.slice(logged).join('\n')).toContain('"method":"POST"')
    expect(stage.bellhop.logged.slice(logged).map((line) => JSON.parse(line))).toMatchObject([
      { level: 'info', method: 'POST', status: null, aborted: true },
    ])
    expect((await stage.company.api.get('/company')).status).toBe(200)
  })
})

expectNoErrors(stage)

import { beforeAll, describe, expect, test } from 'vitest'

import { type Harness, harness, type TestCompany } from './harness/index.ts'
import {
  declaredRoutes,
  makeFixture,
  parametersOf,
  pathOf,
  REFUSED_WITHOUT_MORE,
  requestOf,
} from './harness/routes.ts'
import { allRows } from './harness/rows.ts'

const routes = declaredRoutes().map((route) => ({
  route,
  name: `${route.method} ${route.path}`,
}))
const routesWithIds = routes.filter(({ route }) => parametersOf(route).length > 0)

let bellhop: Harness
let other: TestCompany

beforeAll(async () => {
  bellhop = await harness()
  other = await bellhop.newCompany({ messaging: true })
})

const UNKNOWN = '01h455vb4pex5vsknk084sn02q'
const NOT_FOUND = { error: 'not_found', message: 'There is nothing here with that id or path.' }

test('there are routes, and each has a name of its own', () => {
  expect(routes.length).toBeGreaterThan(10)
  expect(routesWithIds.length).toBeGreaterThan(5)
  expect(new Set(routes.map(({ name }) => name)).size).toBe(routes.length)
  expect(new Set(routes.map(({ route }) => route.name)).size).toBe(routes.length)
})

describe.each(routes)('$name', ({ route }) => {
  test('answers its own company as declared', async () => {
    const company = await bellhop.newCompany({ messaging: true })
    const { status, body } = await company.api.request(await pathOf(route, company), requestOf(route))
    const refusal = REFUSED_WITHOUT_MORE.get(route.name)
    if (refusal) return expect(status).toBe(refusal)
    const isEmpty = route.mayBeEmpty && status === 204
    if (!isEmpty) expect(status).toBe(route.status)
    if (route.reply && !isEmpty) expect(route.reply.safeParse(body)).toMatchObject({ success: true })
    else expect(body).toBeUndefined()
  })

  test('is 401 without a credential or with a wrong one, and changes nothing', async () => {
    const company = await bellhop.newCompany({ messaging: true })
    const path = await pathOf(route, company)
    const before = await allRows(bellhop.db.sql)
    for (const [credential, body] of [
      [{}, { error: 'unauthorized', message: expect.any(String) }],
      [{ 'x-api-key': 'wrong' }, { error: 'Invalid API key' }],
    ]) {
      const request = requestOf(route)
      const headers = { ...(request.headers as Record<string, string>), ...credential }
      const answer = await bellhop.anonymous.request(path, { ...request, headers })
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
      expect(answer.body).toEqual(body)
    }
    expect(await allRows(bellhop.db.sql)).toEqual(before)
  })
})

describe.each(routesWithIds)('$name', ({ route }) => {
  describe.each(parametersOf(route))('with :$name', ({ name, prefix }) => {
    test('of another company is 404, exactly as with an unknown one, and changes nothing', async () => {
      const company = await bellhop.newCompany({ messaging: true })
      const theirs = await makeFixture(other, prefix)
      const path = await pathOf(route, company, { [name]: '{}' })
      const before = await allRows(bellhop.db.sql)
      const unknown = await company.api.request(path.replace('{}', `${prefix}_${UNKNOWN}`), requestOf(route))
      const foreign = await company.api.request(path.replace('{}', theirs), requestOf(route))
      for (const answer of [unknown, foreign]) {
        expect(answer.status).toBe(404)
        expect(answer.body).toEqual(NOT_FOUND)
      }
      expect([...foreign.headers.keys()]).toEqual([...unknown.headers.keys()])
      expect(await allRows(bellhop.db.sql)).toEqual(before)
    })

    test.each([
      'nothing',
      '0',
      '-1',
      '%00',
      '..',
      '%2e%2e%2f',
      'null',
      `${prefix}_`,
      `${prefix}_${UNKNOWN.toUpperCase()}`,
      `${prefix}_${UNKNOWN}x`,
      `${prefix}_8${UNKNOWN.slice(1)}`,
      `xyz_${UNKNOWN}`,
      UNKNOWN,
      '01890a5d-ac96-774b-bcce-b302099a8057',
      'x'.repeat(300),
      'x'.repeat(8_000),
      '🦄',
      "'; drop table contacts; --",
    ])('malformed as %s is 404 and changes nothing', async (id) => {
      const path = await pathOf(route, other, { [name]: '{}' })
      const before = await allRows(bellhop.db.sql)
      const malformed = path.replace('{}', id.includes('%') ? id : encodeURIComponent(id))
      const answer = await other.api.request(malformed, requestOf(route))
      expect(answer.status).toBe(404)
      expect(answer.body).toEqual(NOT_FOUND)
      expect(await allRows(bellhop.db.sql)).toEqual(before)
    })
  })
})

test('no list shows what another company has', async () => {
  const company = await bellhop.newCompany({ messaging: true })
  const prefixes = new Set(
    routesWithIds.flatMap(({ route }) => parametersOf(route)).map(({ prefix }) => prefix),
  )
  const neighbour = await bellhop.newCompany({ messaging: true })
  const theirs = await Promise.all([...prefixes].map((prefix) => makeFixture(neighbour, prefix)))
  const lists = routes.filter(({ route }) => route.method === 'GET' && !route.path.includes(':'))
  for (const { route } of lists) {
    const [mine, seen] = [await company.api.get(route.path), await neighbour.api.get(route.path)]
    for (const id of theirs) expect(JSON.stringify(mine.body ?? null)).not.toContain(id)
    expect(mine.status).toBe(seen.status)
  }
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { type Harness, harness, type TestCompany } from '../index.ts'
import { type RouteGroup, routesIn } from './route-groups.ts'
import { makeFixture, parametersOf, pathOf, REFUSED_WITHOUT_MORE, requestOf } from './routes.ts'
import { watchRows } from './watch-rows.ts'

const UNKNOWN = '01h455vb4pex5vsknk084sn02q'
const NOT_FOUND = { error: 'not_found', message: 'There is nothing here with that id or path.' }

/** Tests that every route of the group responds to its own company, and to nobody else. */
export function testTenantIsolation(group: RouteGroup): void {
  const routes = routesIn(group).map((route) => ({ route, name: `${route.method} ${route.path}` }))
  const routesWithIds = routes.filter(({ route }) => parametersOf(route).length > 0)

  let bellhop: Harness
  let company: TestCompany
  let other: TestCompany
  const { lookAgain, note, expectNoChange } = watchRows(() => bellhop.db.sql)

  beforeAll(async () => {
    bellhop = await harness()
    company = await bellhop.newCompany({ messaging: true })
    other = await bellhop.newCompany({ messaging: true })
    await lookAgain()
  })

  describe.each(routes)('$name', ({ route }) => {
    test('responds to its own company as declared', async () => {
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
      const path = await pathOf(route, company)
      await lookAgain()
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
      await expectNoChange()
    })
  })

  describe.each(routesWithIds)('$name', ({ route }) => {
    describe.each(parametersOf(route))('with :$name', ({ name, prefix }) => {
      let path: string
      beforeAll(async () => {
        path = await pathOf(route, company, { [name]: '{}' })
        await lookAgain()
      })

      // None of the malformed ids changes anything.
      afterAll(expectNoChange)

      test('of another company is 404, exactly as with an unknown one, and changes nothing', async () => {
        const theirs = await makeFixture(other, prefix)
        await lookAgain()
        const unknown = await company.api.request(
          path.replace('{}', `${prefix}_${UNKNOWN}`),
          requestOf(route),
        )
        const foreign = await company.api.request(path.replace('{}', theirs), requestOf(route))
        for (const answer of [unknown, foreign]) {
          expect(answer.status).toBe(404)
          expect(answer.body).toEqual(NOT_FOUND)
        }
        expect([...foreign.headers.keys()]).toEqual([...unknown.headers.keys()])
        await expectNoChange()
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
      ])('malformed as %s is 404', async (id) => {
        const malformed = path.replace('{}', id.includes('%') ? id : encodeURIComponent(id))
        const request = () => company.api.request(malformed, requestOf(route))
        note(`${route.method} ${malformed.slice(0, 200)}`, request)
        const answer = await request()
        expect(answer.status).toBe(404)
        expect(answer.body).toEqual(NOT_FOUND)
      })
    })
  })
}

import { afterEach, beforeAll, expect, test } from 'vitest'

import type { Route } from '../../../server/platform/http/route.ts'
import { type Harness, harness, type TestCompany } from '../index.ts'
import { pathOf } from './routes.ts'
import { allRows, type Rows } from './rows.ts'

export type Body = NonNullable<RequestInit['body']>

export const JSON_TYPE = { 'content-type': 'application/json' }

export interface RefusalFixture {
  bellhop: Harness
  company: TestCompany
  send(path: string, init?: RequestInit): Promise<Response>
  expectRefusal(response: Response, status: number, code: string): Promise<Record<string, any>>
  /** For a test that stores something: takes a new baseline for the comparison. */
  lookAgain(): Promise<void>
  /** A path of the route, with ids of the company. */
  pathTo(route: Route): Promise<string>
}

/** An error of a voice preview that has a `code` in place of `errors`. */
const OWN_CODES = new Set(['invalid_kind'])

/** A company whose requests are rejected. After each test, every row must be as it was before. */
export function openRefusalFixture(): RefusalFixture {
  const stage = {} as RefusalFixture
  let before: Rows

  beforeAll(async () => {
    stage.bellhop = await harness()
    // Texting must be enabled for a company.
    stage.company = await stage.bellhop.newCompany({ messaging: true })
    await lookAgain()
  })

  afterEach(async () => {
    const expected = before
    before = await allRows(stage.bellhop.db.sql)
    expect(before).toEqual(expected)
  })

  const lookAgain = async () => {
    before = await allRows(stage.bellhop.db.sql)
  }

  return Object.assign(stage, {
    lookAgain,
    async pathTo(route: Route) {
      const path = `/api/v1${await pathOf(route, stage.company)}`
      await lookAgain()
      return path
    },
    send: (path: string, init: RequestInit = {}) =>
      fetch(`${stage.bellhop.url}${path}`, {
        ...init,
        headers: { 'x-api-key': stage.company.key, ...(init.headers as Record<string, string>) },
      }),
    /** In the format that clients rely on, without internal details. */
    async expectRefusal(response: Response, status: number, code: string) {
      const text = await response.text()
      expect({ status: response.status, text }).toEqual({ status, text: expect.any(String) })
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
      const body = JSON.parse(text) as Record<string, any>
      expect(body).toMatchObject({ error: code, message: expect.stringMatching(/^\S.*\.$/) })
      const { error: _error, message: _message, errors: _errors, ...more } = body
      expect(more).toEqual(OWN_CODES.has(code) ? { code } : {})
      expect(text).not.toMatch(/node_modules|\.ts\b|\.js\b|\bat \w+ \(|FST_|postgres|zod/i)
      return body
    },
  })
}

/** Twice the depth at which a recursive parser overflows its stack. */
export const nested = (open: string, close: string) => open.repeat(20_000) + close.repeat(20_000)

/** The last test of a file of refusals. */
export function expectNoErrors(stage: RefusalFixture): void {
  test('none of this was an internal error', () => {
    const errors = stage.bellhop.logged.filter(
      (line) => (JSON.parse(line) as { level: string }).level === 'error',
    )
    expect(errors).toEqual([])
  })
}

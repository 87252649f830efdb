import { beforeAll, expect, test } from 'vitest'

import type { Route } from '../../../server/platform/http/route.ts'
import { type Answer, send } from '../api-client.ts'
import { type Harness, harness, type TestCompany } from '../index.ts'
import { pathOf } from './routes.ts'
import { watchRows } from './watch-rows.ts'

export type Body = NonNullable<RequestInit['body']>

export const JSON_TYPE = { 'content-type': 'application/json' }

export interface RefusalFixture {
  bellhop: Harness
  company: TestCompany
  send(path: string, init?: RequestInit): Promise<Answer>
  expectRefusal(response: Answer, status: number, code: string): Promise<Record<string, any>>
  /** For a test that stores something: takes a new baseline for the comparison. */
  lookAgain(): Promise<void>
  /** Every row is as it was: for a hook after each test, or after all tests of a route. */
  expectNoChange(): Promise<void>
  /** A path of the route, with ids of the company. */
  pathTo(route: Route): Promise<string>
}

/** A company whose requests are rejected. */
export function openRefusalFixture(): RefusalFixture {
  const stage = {} as RefusalFixture
  const rows = watchRows(() => stage.bellhop.db.sql)

  beforeAll(async () => {
    stage.bellhop = await harness()
    // Texting must be enabled for a company.
    stage.company = await stage.bellhop.newCompany({ messaging: true })
    await rows.lookAgain()
  })

  return Object.assign(stage, {
    lookAgain: rows.lookAgain,
    expectNoChange: rows.expectNoChange,
    async pathTo(route: Route) {
      const path = `/api/v1${await pathOf(route, stage.company)}`
      await rows.lookAgain()
      return path
    },
    send(path: string, init: RequestInit = {}) {
      const headers = { 'x-api-key': stage.company.key, ...(init.headers as Record<string, string>) }
      const request = () => send(`${stage.bellhop.url}${path}`, { ...init, headers })
      // A stream can be sent only once.
      if (!(init.body instanceof ReadableStream)) rows.note(describeRequest(path, init), request)
      return request()
    },
    /** In the format that clients rely on, without internal details. */
    async expectRefusal(response: Answer, status: number, code: string) {
      const text = await response.text()
      expect({ status: response.status, text }).toEqual({ status, text: expect.any(String) })
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
      const body = JSON.parse(text) as Record<string, any>
      expect(body).toMatchObject({ error: code, message: expect.stringMatching(/^\S.*\.$/) })
      const { error: _error, message: _message, errors: _errors, ...more } = body
      // A voice preview has a `code` too, if its body could be read.
      const isPreview = response.url.endsWith('/voice_previews')
      expect(isPreview ? [{ code }, {}] : [{}]).toContainEqual(more)
      expect(text).not.toMatch(/node_modules|\.ts\b|\.js\b|\bat \w+ \(|FST_|postgres|zod/i)
      return body
    },
  })
}

function describeRequest(path: string, { method = 'GET', body, headers }: RequestInit): string {
  const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : body
  return `${method} ${path} ${JSON.stringify(headers ?? {})} ${JSON.stringify(text ?? null).slice(0, 200)}`
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

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { fieldsIn, fieldsOf } from './body-fields.ts'
import { type Body, expectNoErrors, JSON_TYPE, nested, openRefusalFixture } from './refusals.ts'
import { type RouteGroup, routesIn } from './route-groups.ts'

const FORM_TYPES: [string, string][] = [
  ['a form', 'application/x-www-form-urlencoded'],
  ['a form in capitals', 'Application/X-WWW-Form-URLencoded; charset=UTF-8'],
]
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** What every route of the group with a body must reject, and how. */
export function testBadInput(group: RouteGroup): void {
  const stage = openRefusalFixture()
  const { send, expectRefusal } = stage
  const routesWithBody = routesIn(group)
    .filter((route) => route.body)
    .map((route) => ({ route, name: `${route.method} ${route.path}` }))

  describe.each(routesWithBody)('$name', ({ route }) => {
    let path: string

    beforeAll(async () => {
      path = await stage.pathTo(route)
    })

    afterAll(stage.expectNoChange)

    const sendBody = (body: Body, headers: Record<string, string> = JSON_TYPE) =>
      send(path, { method: route.method, body, headers })

    test.each([
      ['cut off', '{"name":"x"'],
      ['no JSON', 'name=x'],
      ['a trailing comma', '{"name":"x",}'],
      ['single quotes', "{'name':'x'}"],
      ['two values', '{} {}'],
      ['NaN', '{"name":NaN}'],
      ['a raw line break in a string', '{"name":"a\nb"}'],
      ['a bad escape', '{"name":"\\x41"}'],
      ['only spaces', '   '],
      ['unclosed brackets', '['.repeat(100_000)],
    ])('is 400 invalid_json for %s', async (_, body) => {
      await expectRefusal(await sendBody(body), 400, 'invalid_json')
    })

    test.each([
      ['a stray byte', [0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]],
      ['a cut-off character', [0x22, 0xc3, 0x22]],
      ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
      ['half a surrogate pair', [0x22, 0xed, 0xa0, 0x80, 0x22]],
      ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
    ])('is 400 invalid_json for bytes that are not UTF-8: %s', async (_, bytes) => {
      const { message } = await expectRefusal(await sendBody(new Uint8Array(bytes)), 400, 'invalid_json')
      expect(message).toBe('The body is not valid UTF-8.')
    })

    test.each([
      'null',
      '[]',
      '[{}]',
      '"text"',
      '0',
      '1e999',
      'true',
      'false',
      '['.repeat(100_000) + ']'.repeat(100_000),
    ])('is 422 for a body that is not an object: %.20s', async (body) => {
      const response = await sendBody(body)
      // All 422 of a voice preview have one of two codes.
      const isPreview = route.path.endsWith('/voice_previews')
      const { errors } = await expectRefusal(response, 422, isPreview ? 'invalid_kind' : 'validation_failed')
      expect(Object.keys(errors)).toEqual([isPreview ? 'kind' : 'base'])
      if (!isPreview) expect(errors.base).toEqual(['must be an object'])
    })

    test('is refused for every wrong type of value in every field, and names the field', async () => {
      const fields = fieldsIn(route)
      expect(fields.length).toBeGreaterThan(0)
      const wrong = [
        '{}',
        '["x"]',
        '12.5',
        '1e400',
        '"a\\u0000b"',
        '"a\\ud800b"',
        JSON.stringify('x'.repeat(10_001)),
        nested('[', ']'),
        nested('{"a":', '}').replace('}', '1}'),
      ]
      for (const { path: field, code, status = 422, bodyWith } of fields) {
        for (const value of wrong) {
          const body = bodyWith(value)
          const refusal = await expectRefusal(await sendBody(body), status, code ?? 'validation_failed')
          const faults = code ? { [field]: [refusal.message] } : (refusal.errors as Record<string, string[]>)
          // For an array of strings, the error may name an element: `events.0`.
          const named = Object.keys(faults).filter((path) => path === field || path === `${field}.0`)
          expect(named, body.slice(0, 100)).not.toEqual([])
          for (const message of Object.values(faults).flat()) expect(message).not.toMatch(/invalid input/i)
          if (code) expect(refusal.message).toMatch(new RegExp(`^${field} `))
        }
      }
    })

    test.each<[string, string]>([
      ['text', 'text/plain'],
      ...(route.acceptsForm ? [] : FORM_TYPES),
      ['a multipart form', 'multipart/form-data; boundary=x'],
      ['XML', 'application/xml'],
      ['another kind of JSON', 'application/merge-patch+json'],
      ['no type at all', ''],
      ['nonsense', ';;;'],
    ])('is 415 for %s', async (_, type) => {
      const bytes = new TextEncoder().encode(JSON.stringify(route.example))
      const headers: Record<string, string> = type ? { 'content-type': type } : {}
      await expectRefusal(await sendBody(bytes, headers), 415, 'unsupported_media_type')
    })

    test('is 413 for a body over 1 MiB, with or without a Content-Length', async () => {
      const body = JSON.stringify({ ...(route.example as object), ignored: 'x'.repeat(1024 * 1024 + 1) })
      await expectRefusal(await sendBody(body), 413, 'body_too_large')
      const stream = new Blob([body]).stream()
      const chunked = { method: route.method, body: stream, headers: JSON_TYPE, duplex: 'half' as const }
      await expectRefusal(await send(path, chunked), 413, 'body_too_large')
    })
  })

  describe.each(routesWithBody.filter(({ route }) => route.acceptsForm))('$name as a form', ({ route }) => {
    let path: string

    beforeAll(async () => {
      path = await stage.pathTo(route)
    })

    afterAll(stage.expectNoChange)

    test.each(FORM_TYPES)('is 422 for a wrong value in %s, and names the field', async (_, type) => {
      for (const { path: field } of fieldsOf(route.body!)) {
        for (const value of ['', 'perhaps', '12.5', 'a%00b', '%ff', '%']) {
          const sent = { method: route.method, body: `${field}=${value}`, headers: { 'content-type': type } }
          const { errors } = await expectRefusal(await send(path, sent), 422, 'validation_failed')
          expect(Object.keys(errors)).toEqual([field])
        }
      }
    })

    const sendForm = (body: string) => send(path, { method: route.method, body, headers: FORM })

    test('is 413 for a form over 16 KiB, and 400 for one of more than 50 fields', async () => {
      await expectRefusal(await sendForm(`ignored=${'x'.repeat(16 * 1024)}`), 413, 'body_too_large')
      await expectRefusal(await sendForm('ignored=x&'.repeat(50)), 400, 'invalid_request')
    })
  })

  expectNoErrors(stage)
}

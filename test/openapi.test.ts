import { beforeAll, describe, expect, test } from 'vitest'

import { toolsOf } from '../server/api/mcp/tools.ts'
import { describeApi } from '../server/api/openapi.ts'
import { refusalsOf } from '../server/api/refusals.ts'
import { type Harness, harness } from './harness/index.ts'
import { declaredRoutes } from './harness/routes/routes.ts'

interface Operation {
  operationId: string
  summary: string
  parameters?: { name: string; in: string; required: boolean; schema: object }[]
  requestBody?: { required: boolean; content: Record<string, { schema: object; example?: unknown }> }
  responses: Record<string, Response | { $ref: string }>
}

interface Response {
  description: string
  content?: Record<string, { schema: object }>
}

interface Document {
  openapi: string
  info: { title: string; version: string }
  paths: Record<string, Record<string, Operation>>
  security: Record<string, string[]>[]
  components: {
    schemas: Record<string, object>
    responses: Record<string, Response>
    securitySchemes: Record<string, object>
  }
}

const routes = declaredRoutes()
let bellhop: Harness
let text: string
let document: Document

beforeAll(async () => {
  bellhop = await harness()
  const response = await fetch(`${bellhop.url}/openapi.json`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  text = await response.text()
  document = JSON.parse(text) as Document
})

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )

/** The response itself, wherever it is described. */
function resolve(response: Response | { $ref: string }): Response {
  if (!('$ref' in response)) return response
  return document.components.responses[response.$ref.replace('#/components/responses/', '')]!
}

/** How often the event loop turns until the work is done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  const count = () => {
    turns++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  await work()
  clearImmediate(next)
  return turns
}

test('calls go on while the API document and the tools of MCP are made, a route at a time', async () => {
  expect(await turnsDuring(() => describeApi(routes, { version: '0' }))).toBeGreaterThanOrEqual(routes.length)
  expect(await turnsDuring(() => toolsOf(routes))).toBeGreaterThanOrEqual(routes.length)
})

describe('/openapi.json', () => {
  test('is the committed docs/openapi.json', async () => {
    await expect(text).toMatchFileSnapshot('../docs/openapi.json')
  })

  test('describes every declared route, and nothing else', () => {
    const declared = routes.map(
      ({ method, path }) => `${method.toLowerCase()} /api/v1${path.replace(/:(\w+)/g, '{$1}')}`,
    )
    const described = operations().map(({ method, path }) => `${method} ${path}`)
    expect(new Set(described)).toEqual(new Set(declared))
    expect(described).toHaveLength(declared.length)
  })

  test('describes each route as it is declared', () => {
    for (const route of routes) {
      const path = `/api/v1${route.path.replace(/:(\w+)/g, '{$1}')}`
      const operation = document.paths[path]![route.method.toLowerCase()]!
      expect(operation).toMatchObject({ operationId: route.name, summary: route.summary })
      const other = [...(route.idempotent ? ['200'] : []), ...(route.mayBeEmpty ? ['204'] : [])]
      const refused = refusalsOf(route).map(({ status }) => String(status))
      const statuses = new Set([...other, String(route.status), ...refused, 'default'])
      expect(new Set(Object.keys(operation.responses))).toEqual(statuses)
      expect('content' in operation.responses[route.status]!).toBe(route.reply !== null)
      expect(operation.requestBody === undefined).toBe(route.body === undefined)
      if (!route.body) continue
      const { example } = operation.requestBody!.content['application/json']!
      expect(example).toBeDefined()
      expect(route.body.safeParse(example)).toMatchObject({ success: true })
    }
  })

  test('declares the errors that follow from a declaration, and those of the route itself', () => {
    const statusesOf = (path: string, method: string) =>
      Object.keys(document.paths[`/api/v1${path}`]![method]!.responses).filter((status) => status >= '4')
    expect(statusesOf('/contacts', 'get')).toEqual(['401', '403', '422', '500', 'default'])
    expect(statusesOf('/contacts/{id}', 'get')).toEqual(['401', '403', '404', '500', 'default'])
    const withBody = ['400', '401', '403', '413', '415', '422', '500', 'default']
    expect(statusesOf('/contacts', 'post')).toEqual(withBody)
    const all = ['400', '401', '403', '404', '409', '413', '415', '422', '429', '500', '502', 'default']
    expect(statusesOf('/business_numbers/{id}/messages', 'post')).toEqual(all)
    const { responses } = document.paths['/api/v1/employees/{id}']!.delete!
    expect(responses['422']).toMatchObject({
      description: expect.stringContaining('employee_is_call_target'),
      content: { 'application/json': { schema: { properties: { business_numbers: expect.anything() } } } },
    })
  })

  test('has the body of every error', () => {
    for (const { operation } of operations())
      for (const [status, response] of Object.entries(operation.responses))
        if (status >= '4') expect(resolve(response).content).toHaveProperty('application/json')
  })

  test('has the structure of OpenAPI 3.1', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/)
    expect(document.info).toMatchObject({
      title: 'Bellhop',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    })
    const schemes = Object.keys(document.components.securitySchemes)
    for (const requirement of document.security) {
      for (const scheme of Object.keys(requirement)) expect(schemes).toContain(scheme)
    }
    const ids = operations().map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { path, operation } of operations()) {
      expect(path).toMatch(/^\/api\/v1(\/[a-z_]+|\/\{[a-z_]+\})+$/)
      const parameters = operation.parameters ?? []
      const inPath = parameters.filter((parameter) => parameter.in === 'path')
      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? [])
      for (const parameter of inPath) expect(parameter.required).toBe(true)
      for (const parameter of parameters) expect(parameter.schema).toBeTypeOf('object')
      for (const response of Object.values(operation.responses).map(resolve)) {
        expect(response.description).toBeTypeOf('string')
        for (const type of Object.keys(response.content ?? {})) expect(type).toBe('application/json')
      }
    }
  })

  test('has only schemas of JSON Schema 2020-12, with every reference resolved', () => {
    const types = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']
    const schemas = Object.keys(document.components.schemas)
    const names = schemas.map((name) => `#/components/schemas/${name}`)
    const responses = Object.keys(document.components.responses).map(
      (name) => `#/components/responses/${name}`,
    )
    let references = 0
    visit(document, (key, value) => {
      if (key === '$ref') {
        references++
        expect([...names, ...responses]).toContain(value)
      }
      // A property may itself be called type.
      if (key === 'type' && value !== 'apiKey' && value !== 'oauth2' && !isSchema(value))
        expect(types).toEqual(expect.arrayContaining([value].flat()))
      if (key === 'required' && Array.isArray(value)) expect(new Set(value).size).toBe(value.length)
      // Keywords that OpenAPI 3.0 or older drafts had, and 3.1 has not.
      expect(['nullable', 'definitions', '$defs']).not.toContain(key)
    })
    expect(references).toBeGreaterThan(10)
    expect(schemas).toEqual(expect.arrayContaining(['Company', 'Contact', 'Employee', 'Error']))
  })

  test('shows the wire format: ids and timestamps are strings', () => {
    expect(document.components.schemas.Contact).toMatchObject({
      type: 'object',
      properties: {
        id: { type: 'string', pattern: expect.stringMatching(/^\^con_/) },
        created_at: { type: 'string', format: 'date-time' },
        name: { type: ['string', 'null'] },
      },
      required: expect.arrayContaining(['id', 'phone', 'note']),
    })
  })
})

function visit(node: unknown, look: (key: string, value: unknown) => void): void {
  if (typeof node !== 'object' || node === null) return
  for (const [key, value] of Object.entries(node)) {
    if (!Array.isArray(node)) look(key, value)
    if (key !== 'example') visit(value, look)
  }
}

describe('/docs', () => {
  test('is a page that loads nothing from other hosts', async () => {
    const page = await fetch(`${bellhop.url}/docs`)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = page.headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'self'")
    expect(policy).not.toMatch(/https?:|\*/)
    const html = await page.text()
    expect(html).toContain('<title>Bellhop API</title>')
    expect(html).not.toMatch(/(?:https?:)?\/\/[\w-]+\.\w/)
  })

  test('runs a script of our own server', async () => {
    const page = await fetch(`${bellhop.url}/docs`)
    const scripts = [...(await page.text()).matchAll(/<script[^>]*\ssrc="([^"]+)"/g)].map(([, src]) => src!)
    expect(scripts).toHaveLength(1)
    const script = await fetch(new URL(scripts[0]!, page.url))
    expect(new URL(script.url).origin).toBe(new URL(bellhop.url).origin)
    expect(script.status).toBe(200)
    expect(script.headers.get('content-type')).toContain('javascript')
    const text = await script.text()
    expect(text.length).toBeGreaterThan(100_000)
    expect(text.slice(-1_000)).toContain('"url":"/openapi.json"')
    // What the page's content security policy blocks, including preloads.
    expect(text).not.toMatch(/\bnew Function\(|(?<![.\w])eval\(/)
  })
})

function isSchema(value: unknown): boolean {
  return typeof value === 'object' && !Array.isArray(value)
}

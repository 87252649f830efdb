import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'

import { type Harness, harness, type TestCompany } from '../../../test/harness/index.ts'
import { withMcpClient } from '../../../test/harness/peers/mcp-client.ts'
import { oauthApplication } from '../../../test/harness/peers/oauth.ts'
import { declaredRoutes } from '../../../test/harness/routes/routes.ts'

interface Schema {
  type?: unknown
  description?: string
  properties?: Record<string, Schema>
  items?: Schema
  required?: string[]
}

const routes = declaredRoutes()
const LEGACY = ['mark_calls_seen', 'count_unseen']
const current = routes.filter(
  ({ deprecated, name, toolSet }) => toolSet !== 'none' && (!deprecated || LEGACY.includes(name)),
)

let bellhop: Harness
let company: TestCompany

beforeAll(async () => {
  bellhop = await harness()
  company = await bellhop.newCompany({ messaging: true })
})

async function listTools(
  query = '?tools=all',
  headers: Record<string, string> = { 'x-api-key': company.key },
) {
  const { tools } = await withMcpClient(bellhop, headers, (client) => client.listTools(), { query })
  return tools
}

const schemaOf = async (name: string) =>
  (await listTools()).find((tool) => tool.name === name)!.inputSchema as Schema

describe('the list of all tools', () => {
  test('has one for every route of the API, and none for older names of a route and for what only a page in a browser can do', async () => {
    const names = (await listTools()).map(({ name }) => name)
    expect(names.toSorted()).toEqual(current.map(({ name }) => name).toSorted())
    expect(routes.length).toBeGreaterThan(current.length)
  })

  test('annotates each with its effect', async () => {
    const hints = new Map((await listTools()).map(({ name, annotations }) => [name, annotations]))
    const changes = { readOnlyHint: false, destructiveHint: true, idempotentHint: true }
    expect(hints.get('list_contacts')).toMatchObject({ readOnlyHint: true, destructiveHint: false })
    expect(hints.get('get_call')).toMatchObject({ readOnlyHint: true, destructiveHint: false })
    expect(hints.get('create_contact')).toMatchObject({ readOnlyHint: false, destructiveHint: false })
    expect(hints.get('update_contact')).toMatchObject(changes)
    expect(hints.get('set_do_not_disturb')).toMatchObject(changes)
    expect(hints.get('delete_contact')).toMatchObject(changes)
    const adds = { readOnlyHint: false, destructiveHint: false, idempotentHint: true }
    expect(hints.get('get_caller_context')).toMatchObject(adds)
    for (const { method, name, mayAdd = false } of current) {
      const readOnly = method === 'GET' && !mayAdd
      expect({ name, readOnly: hints.get(name)?.readOnlyHint }).toEqual({ name, readOnly })
      if (method === 'DELETE') expect(hints.get(name)).toMatchObject(changes)
    }
  })

  test('has every input of the routes as an argument, in one form', async () => {
    const tools = await listTools()
    for (const route of current) {
      const { inputSchema } = tools.find(({ name }) => name === route.name)!
      const parts = [route.params, route.query, route.body].filter((part) => part instanceof z.ZodObject)
      const schemas = parts.map((part) => z.toJSONSchema(part, { io: 'input' }))
      const names = Object.keys(inputSchema.properties!)
      expect(names).toEqual(
        expect.arrayContaining(schemas.flatMap((schema) => Object.keys(schema.properties!))),
      )
      const required = schemas.flatMap((schema) => schema.required ?? [])
      expect(inputSchema.required ?? []).toEqual(expect.arrayContaining(required))
      expect(JSON.stringify(inputSchema)).not.toMatch(/"(anyOf|oneOf|allOf|body)":/)
    }
  })

  test('requires what the API requires', async () => {
    expect((await schemaOf('send_message')).required).toEqual(['id', 'to', 'text', 'idempotency_key'])
    expect((await schemaOf('retry_message')).required).toEqual(['message_id', 'idempotency_key'])
    expect((await schemaOf('get_caller_context')).required).toEqual(['phone'])
    expect((await schemaOf('start_transfer')).required).toEqual(['call_id', 'employee_id'])
    expect((await schemaOf('start_transfer')).properties!.employee_id!.type).toBe('string')
    expect((await schemaOf('create_business_number_voice_preview')).required).toEqual(['id', 'kind', 'text'])
    expect((await schemaOf('set_business_number_incoming_call_config')).required).toEqual(['id', 'type'])
  })

  test('has integers and booleans where numbers and yes or no are meant', async () => {
    for (const name of ['list_calls', 'list_threads', 'list_activity', 'list_webhook_deliveries'])
      expect((await schemaOf(name)).properties!.limit!.type).toBe('integer')
    expect((await schemaOf('list_threads')).properties!.unseen!.type).toBe('boolean')
    expect((await schemaOf('update_voicemail')).properties!.listened!.type).toBe('boolean')
    const noAnswer = await schemaOf('set_business_number_no_answer_config')
    expect(noAnswer.properties!.timeout_secs).toMatchObject({
      type: ['integer', 'null'],
      enum: [0, 15, 30, 60, 300, 600, 1200, 1800, 2700, 3600, null],
    })
  })

  test('describes every argument, in words that need no knowledge of HTTP', async () => {
    const http =
      /\b(url|headers?|body|encoded|endpoint|requests?|responses?|20\d|4\d\d|50\d|GET|POST|PUT|PATCH|DELETE)\b/
    for (const { name, description, inputSchema } of await listTools()) {
      expect(description, name).not.toMatch(http)
      visit(inputSchema as Schema, (argument, field) => {
        expect(field.description, `${name}: ${argument}`).toMatch(/^\w.*\.$/)
        expect(field.description, `${name}: ${argument}`).not.toMatch(http)
      })
    }
  })

  test('says which kind of call flow an argument is for', async () => {
    const { properties } = await schemaOf('set_business_number_outside_business_hours_config')
    expect(properties!.type).toMatchObject({ type: ['string', 'null'], enum: expect.arrayContaining([null]) })
    expect(properties!.welcome!.description).toMatch(/For WelcomeTransferConfig and PhoneMenuConfig\.$/)
    expect(properties!.menu_options!.items!.properties!.employee_ids!.description).toMatch(
      /For TransferConfig and WelcomeTransferConfig\.$/,
    )
  })
})

const bytes = (tools: unknown) => Buffer.byteLength(JSON.stringify({ tools }))

describe('the two sets of tools', () => {
  test('are short enough for a model to read', async () => {
    expect(bytes(await listTools(''))).toBeLessThan(20_000)
    expect(bytes(await listTools())).toBeLessThan(56_000)
  })

  test('administration is listed only for clients that ask for it', async () => {
    const everyday = (await listTools('')).map(({ name }) => name)
    const all = (await listTools()).map(({ name }) => name)
    expect(all).toEqual(expect.arrayContaining(everyday))
    const work = [
      'send_message',
      'list_threads',
      'list_calls',
      'create_contact',
      'set_do_not_disturb',
      ...LEGACY,
    ]
    expect(everyday).toEqual(expect.arrayContaining(work))
    const administration = [
      'create_webhook',
      'delete_employee',
      'update_business_number',
      'create_integration',
    ]
    for (const name of administration) expect(everyday).not.toContain(name)
    expect(all).toEqual(expect.arrayContaining(administration))
    expect((await listTools('?tools=some')).map(({ name }) => name)).toEqual(everyday)
  })

  test('are the same for an access token', async () => {
    const { accessToken } = await oauthApplication(bellhop).newTokens(company)
    const headers = { authorization: `Bearer ${accessToken}` }
    expect(await listTools('', headers)).toEqual(await listTools(''))
    expect(await listTools('?tools=all', headers)).toEqual(await listTools())
  })

  test('are no permission: a tool that is not listed can be called', async () => {
    const result = await withMcpClient(bellhop, { 'x-api-key': company.key }, (client) =>
      client.callTool({ name: 'list_webhooks', arguments: {} }),
    )
    expect(result.structuredContent).toEqual({ result: [] })
  })
})

function visit({ properties, items }: Schema, look: (name: string, field: Schema) => void): void {
  if (items) visit(items, look)
  for (const [name, field] of Object.entries(properties ?? {})) {
    look(name, field)
    visit(field, look)
  }
}

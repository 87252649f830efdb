import { z } from 'zod'

import { EVENTS } from '../events.ts'
import { nextTurn } from '../platform/event-loop.ts'
import type { Route } from '../platform/http/route.ts'
import { ApiError, refusalsOf, SHARED_REFUSALS } from './refusals.ts'

type Json = Record<string, unknown>

const OAUTH_FLOW = {
  authorizationUrl: '/oauth/authorize',
  tokenUrl: '/oauth/token',
  refreshUrl: '/oauth/token',
  scopes: { api: 'All of /api/v1, as the employee who agreed.' },
}

const SESSION_COOKIE = {
  type: 'apiKey',
  in: 'cookie',
  name: '__Host-bellhop_session',
  description:
    'Of an employee who is signed in at this browser, for pages of this address only. Over plain http the name has ' +
    'no prefix.',
}

/** The OpenAPI 3.1 document of the declared routes. It takes 0.2 s, in many turns of the event loop. */
export async function describeApi(routes: Route[], { version }: { version: string }): Promise<Json> {
  const schemas: Json = {}
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = '/api/v1' + route.path.replace(/:(\w+)/g, '{$1}')
    ;(paths[path] ??= {})[route.method.toLowerCase()] = describeRoute(route, schemas)
    await nextTurn()
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Bellhop',
      version,
      description: 'The HTTP API of Bellhop, a business phone system.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }, { oauth: ['api'] }, { session: [] }],
    paths,
    webhooks: await describeEvents(schemas),
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
        oauth: { type: 'oauth2', flows: { authorizationCode: OAUTH_FLOW } },
        session: SESSION_COOKIE,
      },
      responses: describeSharedRefusals(schemas),
      schemas,
    },
  }
}

/** The webhook payloads. */
async function describeEvents(schemas: Json): Promise<Json> {
  const described: Json = {}
  for (const [name, { when, data }] of Object.entries(EVENTS)) {
    const envelope = z.object({ event: z.literal(name), timestamp: z.iso.datetime(), data })
    const post = {
      operationId: name,
      summary: when,
      tags: ['webhooks'],
      requestBody: { required: true, content: jsonContent(describeSchema(envelope, schemas)) },
      responses: { '2XX': { description: 'Received; anything else is tried again.' } },
    }
    described[name] = { post }
    await nextTurn()
  }
  return described
}

function describeRoute(route: Route, schemas: Json): Json {
  const parameters = [
    ...describeParameters(route, 'params', schemas),
    ...describeParameters(route, 'query', schemas),
    ...(route.idempotent ? [IDEMPOTENCY_KEY] : []),
  ]
  const content = route.reply && { content: jsonContent(describeSchema(route.reply, schemas)) }
  return {
    operationId: route.name,
    summary: route.summary,
    ...(route.deprecated && { deprecated: true }),
    tags: [route.path.split('/')[1]],
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && { requestBody: describeBody(route, route.body, schemas) }),
    responses: {
      [route.status]: { description: 'Success', ...content },
      ...(route.idempotent && route.status !== 200 && { 200: { description: 'Replayed', ...content } }),
      ...(route.mayBeEmpty && { 204: { description: 'There is nothing to tell' } }),
      ...describeRefusals(route, schemas),
      default: {
        description: 'Refused before it reached the operation: 408, 431 or 503.',
        content: jsonContent(describeSchema(ApiError, schemas)),
      },
    },
  }
}

/** What a route adds to a shared refusal is told in place of the reference. */
function describeRefusals(route: Route, schemas: Json): Json {
  const described = refusalsOf(route).map(({ status, shared, own }) => {
    if (!own) return [status, { $ref: `#/components/responses/${shared!.name}` }]
    const body = own.body ? ApiError.extend(own.body.shape) : ApiError
    const description = [shared?.when, own.when].filter(Boolean).join(' ')
    return [status, { description, content: jsonContent(describeSchema(body, schemas)) }]
  })
  return Object.fromEntries(described) as Json
}

function describeSharedRefusals(schemas: Json): Json {
  const content = jsonContent(describeSchema(ApiError, schemas))
  const described = Object.values(SHARED_REFUSALS).map(({ name, when }) => [
    name,
    { description: when, content },
  ])
  return Object.fromEntries(described) as Json
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'New for each intentional request, the same when it is repeated; in place of idempotency_key in the body. ' +
    'The answer to a repeated request carries `Idempotent-Replayed: true`.',
  schema: { type: 'string', minLength: 1, maxLength: 128 },
}

function describeParameters(route: Route, part: 'params' | 'query', schemas: Json): Json[] {
  return Object.entries(route[part]?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: part === 'params' ? 'path' : 'query',
    required:
      part === 'params' ||
      route.mandatory?.includes(name) === true ||
      !(schema as z.ZodType).safeParse(undefined).success,
    schema: describeSchema(schema as z.ZodType, schemas),
  }))
}

function describeBody(route: Route, body: z.ZodType, schemas: Json): Json {
  const schema = describeSchema(body, schemas) as { properties?: Json; required?: string[] }
  const mandatory = route.mandatory?.filter((name) => schema.properties && name in schema.properties) ?? []
  const required = [...(schema.required ?? []), ...mandatory]
  const content = {
    schema: { ...schema, ...(required.length > 0 && { required }) },
    ...(route.example !== undefined && { example: route.example }),
  }
  const form = route.acceptsForm && { 'application/x-www-form-urlencoded': content }
  const isRequired = mandatory.length > 0 || !body.safeParse({}).success
  return { required: isRequired, content: { 'application/json': content, ...form } }
}

const jsonContent = (schema: Json) => ({ 'application/json': { schema } })

/** The JSON Schema of the wire format; named schemas move to `schemas` and are referenced. */
function describeSchema(schema: z.ZodType, schemas: Json): Json {
  const wrapped = z.toJSONSchema(z.object({ it: schema }), { io: 'input', target: 'draft-2020-12' })
  const text = JSON.stringify(wrapped).replaceAll('#/$defs/', '#/components/schemas/')
  const { properties, $defs } = JSON.parse(text) as { properties: { it: Json }; $defs?: Record<string, Json> }
  for (const [name, definition] of Object.entries($defs ?? {})) {
    const { id: _, ...rest } = definition
    schemas[name] = rest
  }
  return properties.it
}

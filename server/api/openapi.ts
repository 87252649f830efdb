import { z } from 'zod'

import { EVENTS } from '../events.ts'
import type { Route } from '../platform/http/route.ts'

type Json = Record<string, unknown>

const ApiError = z
  .object({
    error: z.string().meta({ description: 'A stable code.' }),
    message: z.string().optional().meta({ description: 'A sentence that says what to do.' }),
    errors: z
      .record(z.string(), z.array(z.string()))
      .optional()
      .meta({ description: 'With status 422: what is wrong with each field.' }),
  })
  .meta({ id: 'Error' })

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

/** The OpenAPI 3.1 document of the declared routes. */
export function describeApi(routes: Route[], { version }: { version: string }): Json {
  const schemas: Json = {}
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = '/api/v1' + route.path.replace(/:(\w+)/g, '{$1}')
    ;(paths[path] ??= {})[route.method.toLowerCase()] = describeRoute(route, schemas)
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
    webhooks: describeEvents(schemas),
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
        oauth: { type: 'oauth2', flows: { authorizationCode: OAUTH_FLOW } },
        session: SESSION_COOKIE,
      },
      schemas,
    },
  }
}

/** The webhook payloads. */
function describeEvents(schemas: Json): Json {
  const described = Object.entries(EVENTS).map(([name, { when, data }]) => {
    const envelope = z.object({ event: z.literal(name), timestamp: z.iso.datetime(), data })
    const post = {
      operationId: name,
      summary: when,
      tags: ['webhooks'],
      requestBody: { required: true, content: jsonContent(describeSchema(envelope, schemas)) },
      responses: { '2XX': { description: 'Received; anything else is tried again.' } },
    }
    return [name, { post }]
  })
  return Object.fromEntries(described)
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
      default: { description: 'Refused', content: jsonContent(describeSchema(ApiError, schemas)) },
    },
  }
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
    required: part === 'params' || !(schema as z.ZodType).safeParse(undefined).success,
    schema: describeSchema(schema as z.ZodType, schemas),
  }))
}

function describeBody(route: Route, body: z.ZodType, schemas: Json): Json {
  const content = {
    schema: describeSchema(body, schemas),
    ...(route.example !== undefined && { example: route.example }),
  }
  const form = route.acceptsForm && { 'application/x-www-form-urlencoded': content }
  return { required: !body.safeParse({}).success, content: { 'application/json': content, ...form } }
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

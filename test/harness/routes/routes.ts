import { randomBytes, randomUUID } from 'node:crypto'

import { z } from 'zod'

import { readConfig } from '../../../server/config.ts'
import { systemClock } from '../../../server/platform/clock.ts'
import type { Route } from '../../../server/platform/http/route.ts'
import { decodeId, encodeId, type IdPrefix } from '../../../server/platform/ids.ts'
import { declareRoutes } from '../../../server/roles/routes.ts'
import type { ApiReply } from '../api-client.ts'
import { newCall, newNumber, newVoicemail } from '../calls/telephony.ts'
import type { TestCompany } from '../index.ts'
import { newFailedMessage } from '../texts/texting.ts'

let serial = 100_000

const nowhere = () => ''

/** Every route of /api/v1, for tests that cover them all through HTTP. */
export function declaredRoutes(): Route[] {
  const unused = {} as never
  const parts = {
    config: readConfig({}),
    db: unused,
    log: unused,
    clock: systemClock,
    secret: '',
    storage: unused,
    speaker: unused,
    embedder: unused,
    texts: unused,
    sms: { sender: unused, providers: [], close: unused },
    sources: unused,
  }
  return declareRoutes(parts, {
    links: { to: nowhere },
    addresses: { public: nowhere, local: nowhere },
    askEdge: () => Promise.resolve({ ok: false, why: 'withdrawn' }),
    askTrunks: () => Promise.resolve([]),
  })
}

/** The errors of routes that need a live call, a thread, a business number or an operator, by the name of the route. */
export const REFUSED_WITHOUT_MORE = new Map([
  ['start_transfer', 404],
  ['complete_transfer', 409],
  ['start_conference', 409],
  ['start_outside_transfer', 409],
  ['cancel_outside_transfer', 409],
  ['get_call_waveform', 404],
  ['get_voicemail_waveform', 404],
  ['pick_up_call', 409],
  ['park_call', 409],
  ['retrieve_call', 409],
  ['pause_call_recording', 409],
  ['resume_call_recording', 409],
  ['simulate_call', 409],
  ['simulate_text', 409],
  ['list_trunks', 403],
  ['set_thread_state', 404],
  ['assign_thread', 404],
  ['merge_contacts', 404],
  ['remove_contact_number', 404],
  ['create_push_subscription', 403],
])

/**
 * How to create a record for each kind of id in a path, by the prefix of the id. A route with a new kind of id needs a
 * line here, or the tests of all routes fail.
 */
const makers: Partial<Record<IdPrefix, (company: TestCompany, parent?: string) => Promise<string>>> = {
  con: ({ api }) => created(api.post('/contacts', { phone: `+4520${serial++}` })),
  emp: ({ api }) =>
    created(api.post('/employees', { name: 'Fixture', email: `${randomUUID()}@example.com` })),
  num: async (company) => encodeId('num', await newNumber(company)),
  fav: ({ api }) => created(api.post('/favourites', { phone: `+4530${serial++}` })),
  sub: async ({ db, companyId, employeeId }) => {
    const random = randomBytes(32)
    const [row] = await db.sql<{ id: string }[]>`
      with session as (
        insert into sessions (company_id, employee_id, token_hash, second_factor_owed, user_agent, created_at, last_seen_at)
        values (${companyId}, ${employeeId}, ${random}, false, '', now(), now()) returning id
      )
      insert into push_subscriptions
        (company_id, employee_id, session_id, endpoint_hash, subscription_sealed, language)
      select ${companyId}, ${employeeId}, id, ${random}, '', 'en' from session returning id`
    return encodeId('sub', row!.id)
  },
  cal: async (company) => encodeId('cal', await newCall(company)),
  tra: async (company, call) => {
    const { db, companyId, employeeId } = company
    const callId = decodeId('cal', call ?? '') ?? (await newCall(company))
    const [row] = await db.sql<{ id: string }[]>`
      insert into transfers (company_id, call_id, state, from_employee_id, to_employee_id)
      values (${companyId}, ${callId}, 'cancelled', ${employeeId}, ${randomUUID()}) returning id`
    return encodeId('tra', row!.id)
  },
  out: async (company, call) => {
    const { db, companyId, employeeId } = company
    const callId = decodeId('cal', call ?? '') ?? (await newCall(company))
    const [row] = await db.sql<{ id: string }[]>`
      insert into outside_transfers (company_id, call_id, employee_id, number, state, started_at)
      values (${companyId}, ${callId}, ${employeeId}, '+4520998877', 'failed', now()) returning id`
    return encodeId('out', row!.id)
  },
  msg: newFailedMessage,
  not: ({ api }) => created(api.post('/inbox/+4520112233/notes', { text: 'Fixture' })),
  voi: async (company) => encodeId('voi', await newVoicemail(company)),
  sni: ({ api }) => created(api.post('/text_snippets', { title: 'Fixture', text: 'Fixture' })),
  web: ({ api }) =>
    created(api.post('/webhooks', { name: 'Fixture', url: 'https://1.1.1.1/', events: ['call.ended'] })),
  int: ({ api }) => created(api.post('/integrations', { provider: 'custom', url: 'https://1.1.1.1/' })),
  del: async (company, webhook) => {
    const { body } = await company.api.post(
      `/webhooks/${webhook ?? (await makeFixture(company, 'web'))}/test`,
    )
    return (body as { id: string }).id
  },
}

async function created(request: Promise<ApiReply>): Promise<string> {
  const { status, body } = await request
  if (status !== 201) throw new Error(`a fixture was refused: ${JSON.stringify(body)}`)
  return (body as { id: string }).id
}

/** `parent` is the record of the preceding id in the path, to which the new one belongs. */
export async function makeFixture(company: TestCompany, prefix: IdPrefix, parent?: string): Promise<string> {
  const make = makers[prefix]
  if (!make) throw new Error(`test/harness/routes/routes.ts cannot make a thing with an id of ${prefix}_ yet`)
  return make(company, parent)
}

/** The kind of each id in the path. */
export function parametersOf(route: Route): { name: string; prefix: IdPrefix }[] {
  return pathParameters(route).flatMap(({ name, prefix }) => (prefix ? [{ name, prefix }] : []))
}

/** A parameter that is not an id declares an example. */
function pathParameters(route: Route): { name: string; prefix?: IdPrefix; example?: string }[] {
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  return names.map((name) => {
    const schema = route.params?.shape[name] as z.ZodType | undefined
    const { pattern, examples } = schema ? z.toJSONSchema(schema, { io: 'input' }) : {}
    const prefix = /^\^([a-z]+)_/.exec(pattern ?? '')?.[1] as IdPrefix | undefined
    const example = examples?.[0] as string | undefined
    if (!prefix && !example)
      throw new Error(`${route.method} ${route.path}: it is not declared what :${name} names`)
    return { name, prefix, example }
  })
}

/** The declared examples of the required query parameters. */
function queryOf({ query }: Route): string {
  const examples = Object.entries((query?.shape ?? {}) as Record<string, z.ZodType>).flatMap(
    ([name, schema]) => {
      const example = schema.meta()?.examples
      return Array.isArray(example) ? [[name, String(example[0])] as [string, string]] : []
    },
  )
  return examples.length > 0 ? `?${new URLSearchParams(examples).toString()}` : ''
}

/** The route's path with a record of the company for each parameter that is not given. */
export async function pathOf(
  route: Route,
  company: TestCompany,
  given: Record<string, string> = {},
): Promise<string> {
  let path = route.path
  let parent: string | undefined
  for (const { name, prefix, example } of pathParameters(route)) {
    parent = given[name] ?? (prefix ? await makeFixture(company, prefix, parent) : example!)
    path = path.replace(`:${name}`, parent)
  }
  return path + queryOf(route)
}

/** A valid request, from the examples in the route's declaration. */
export function requestOf(route: Route): RequestInit {
  if (!route.body) return { method: route.method }
  if (route.example === undefined) throw new Error(`${route.method} ${route.path} declares no example body`)
  return {
    method: route.method,
    body: JSON.stringify(route.example),
    headers: { 'content-type': 'application/json' },
  }
}

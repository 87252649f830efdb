import { randomUUID } from 'node:crypto'

import { z } from 'zod'

import type { Route } from '../../server/platform/http/route.ts'
import type { IdPrefix } from '../../server/platform/ids.ts'
import type { Answer } from './api-client.ts'
import type { TestCompany } from './index.ts'

let contacts = 0

/**
 * How to make one thing of each kind that a path can name, by the prefix of its id. A route whose path names
 * another kind needs a line here, or the tests that walk all routes fail.
 */
const makers: Partial<Record<IdPrefix, (company: TestCompany) => Promise<Answer>>> = {
  con: ({ api }) => api.post('/contacts', { phone: `+4520${100_000 + contacts++}` }),
  emp: ({ api }) => api.post('/employees', { name: 'Fixture', email: `${randomUUID()}@example.com` }),
}

export async function makeFixture(company: TestCompany, prefix: IdPrefix): Promise<string> {
  const make = makers[prefix]
  if (!make) throw new Error(`test/harness/routes.ts cannot make a thing with an id of ${prefix}_ yet`)
  const { status, body } = await make(company)
  if (status !== 201) throw new Error(`the fixture of ${prefix}_ was refused: ${JSON.stringify(body)}`)
  return (body as { id: string }).id
}

/** What each parameter of the path names. */
export function parametersOf(route: Route): { name: string; prefix: IdPrefix }[] {
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  return names.map((name) => {
    const schema = route.params?.shape[name] as z.ZodType | undefined
    const { pattern } = schema ? z.toJSONSchema(schema, { io: 'input' }) : {}
    const prefix = /^\^([a-z]+)_/.exec(pattern ?? '')?.[1]
    if (!prefix) throw new Error(`${route.method} ${route.path}: it is not declared what :${name} names`)
    return { name, prefix: prefix as IdPrefix }
  })
}

/** The route's path with a thing of the company for each parameter, except those given. */
export async function pathOf(
  route: Route,
  company: TestCompany,
  given: Record<string, string> = {},
): Promise<string> {
  let path = route.path
  for (const { name, prefix } of parametersOf(route)) {
    path = path.replace(`:${name}`, given[name] ?? (await makeFixture(company, prefix)))
  }
  return path
}

/** A request that passes, as the route itself declares it. */
export function requestOf(route: Route): RequestInit {
  if (!route.body) return { method: route.method }
  if (route.example === undefined) throw new Error(`${route.method} ${route.path} declares no example body`)
  return {
    method: route.method,
    body: JSON.stringify(route.example),
    headers: { 'content-type': 'application/json' },
  }
}

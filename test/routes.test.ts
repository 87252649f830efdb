import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { packageRoot } from '../server/platform/package-root.ts'
import { harness } from './harness/index.ts'
import { beginningOf, ROUTE_GROUPS } from './harness/routes/route-groups.ts'
import { declaredRoutes, makeFixture, parametersOf } from './harness/routes/routes.ts'

const routes = declaredRoutes().map((route) => ({
  route,
  name: `${route.method} ${route.path}`,
}))
const routesWithIds = routes.filter(({ route }) => parametersOf(route).length > 0)

test('there are routes, and each has a unique name', () => {
  expect(routes.length).toBeGreaterThan(10)
  expect(routesWithIds.length).toBeGreaterThan(5)
  expect(new Set(routes.map(({ name }) => name)).size).toBe(routes.length)
  expect(new Set(routes.map(({ route }) => route.name)).size).toBe(routes.length)
})

test('each route belongs to a group, and each group has its files', async () => {
  const beginnings = [...new Set(routes.map(({ route }) => beginningOf(route)))]
  expect(Object.values(ROUTE_GROUPS).flat().toSorted()).toEqual(beginnings.toSorted())
  const files = Object.keys(ROUTE_GROUPS).map((group) => `${group}.test.ts`)
  for (const folder of ['bad-input', 'routes'].map((name) => join(packageRoot, 'test', name))) {
    expect((await readdir(folder)).toSorted()).toEqual(files.toSorted())
    for (const group of Object.keys(ROUTE_GROUPS))
      expect(await readFile(join(folder, `${group}.test.ts`), 'utf8')).toContain(`('${group}')`)
  }
})

test('no list shows rows of another company', async () => {
  const bellhop = await harness()
  const company = await bellhop.newCompany({ messaging: true })
  const prefixes = new Set(
    routesWithIds.flatMap(({ route }) => parametersOf(route)).map(({ prefix }) => prefix),
  )
  const neighbour = await bellhop.newCompany({ messaging: true })
  const theirs = await Promise.all([...prefixes].map((prefix) => makeFixture(neighbour, prefix)))
  const lists = routes.filter(({ route }) => route.method === 'GET' && !route.path.includes(':'))
  for (const { route } of lists) {
    const [mine, seen] = [await company.api.get(route.path), await neighbour.api.get(route.path)]
    for (const id of theirs) expect(JSON.stringify(mine.body ?? null)).not.toContain(id)
    expect(mine.status).toBe(seen.status)
  }
})

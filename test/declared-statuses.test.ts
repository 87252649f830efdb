import { expect, test } from 'vitest'

import { harness } from './harness/index.ts'
import { undeclaredStatuses } from './harness/routes/declared-statuses.ts'

test('the log of every test installation is checked for statuses that the API document lacks', async () => {
  const bellhop = await harness()
  const { api } = await bellhop.newCompany()
  expect((await api.get('/contacts/none')).status).toBe(404)
  await expect.poll(() => bellhop.logged.at(-1)).toContain('"status":404')
  expect(await undeclaredStatuses(bellhop.logged)).toEqual([])
  const teapot = bellhop.logged.at(-1)!.replace('"status":404', '"status":418')
  expect(await undeclaredStatuses([...bellhop.logged, teapot])).toEqual(['GET /api/v1/contacts/:id 418'])
})

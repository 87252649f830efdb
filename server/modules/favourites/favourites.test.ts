import { randomUUID } from 'node:crypto'

import { expect, test } from 'vitest'

import { newEmployee } from '../../../test/harness/employees.ts'
import { harness, type TestCompany } from '../../../test/harness/index.ts'
import { encodeId } from '../../platform/ids.ts'
import { FAVOURITE_LIMITS } from './limits.ts'

const bellhop = await harness()

const hire = async ({ companyId }: TestCompany, name: string) => {
  const email = `${randomUUID()}@example.com`
  const { id } = await bellhop.db.tx((tx) => newEmployee(tx, companyId, { name, email }))
  return { uuid: id, id: encodeId('emp', id) }
}

const listed = async ({ api }: Pick<TestCompany, 'api'>) => (await api.get('/favourites')).body.favourites

test('favourites are numbers with the name of the contact, and coworkers, in the order in which they were added', async () => {
  const company = await bellhop.newCompany()
  const { api } = company
  const { id: bo } = await hire(company, 'Bo')
  await api.post('/contacts', { phone: '+4520304050', name: 'Mikkel Dahl' })
  const first = await api.post('/favourites', { phone: '20 30 40 50' })
  expect(first).toMatchObject({
    status: 201,
    body: { phone: '+4520304050', contact_name: 'Mikkel Dahl', employee: null },
  })
  const second = await api.post('/favourites', { employee_id: bo })
  expect(second).toMatchObject({
    status: 201,
    body: { phone: null, contact_name: null, employee: { id: bo, name: 'Bo' } },
  })
  expect((await api.post('/favourites', { phone: '+4520304050' })).body).toEqual(first.body)
  expect((await api.post('/favourites', { employee_id: bo })).body).toEqual(second.body)
  expect(await listed(company)).toEqual([first.body, second.body])
  expect((await api.delete(`/favourites/${first.body.id}`)).status).toBe(204)
  expect((await api.delete(`/favourites/${first.body.id}`)).status).toBe(404)
  expect(await listed(company)).toEqual([second.body])
  expect((await api.delete(`/employees/${bo}`)).status).toBe(204)
  expect(await listed(company)).toEqual([])
})

test('what is no number, nobody of the company, oneself, or both at once is refused', async () => {
  const company = await bellhop.newCompany()
  const { api, employeeId } = company
  const { id: stranger } = await hire(await bellhop.newCompany(), 'Stranger')
  const { id: bo } = await hire(company, 'Bo')
  const statusOf = async (body: object) => (await api.post('/favourites', body)).status
  expect(await statusOf({})).toBe(422)
  expect(await statusOf({ phone: 'Bo' })).toBe(422)
  expect(await statusOf({ phone: '+4520304050', employee_id: bo })).toBe(422)
  expect(await statusOf({ employee_id: encodeId('emp', employeeId) })).toBe(422)
  expect(await statusOf({ employee_id: stranger })).toBe(404)
  expect(await listed(company)).toEqual([])
})

test('an employee sees and removes only their own', async () => {
  const company = await bellhop.newCompany()
  const { body } = await company.api.post('/favourites', { phone: '+4520304050' })
  const colleague = await bellhop.keyFor((await hire(company, 'Bo')).uuid)
  expect(await listed(colleague)).toEqual([])
  expect((await colleague.api.delete(`/favourites/${body.id}`)).status).toBe(404)
  expect(await listed(company)).toHaveLength(1)
})

test('an employee has a limited number of favourites, also if they are added at once', async () => {
  const company = await bellhop.newCompany()
  const add = (serial: number) => company.api.post('/favourites', { phone: `+45203040${10 + serial}` })
  const replies = await Promise.all(
    Array.from({ length: FAVOURITE_LIMITS.perEmployee + 3 }, (_, n) => add(n)),
  )
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(FAVOURITE_LIMITS.perEmployee)
  expect(replies.find(({ status }) => status !== 201)).toMatchObject({
    status: 422,
    body: { error: 'too_many_favourites' },
  })
})

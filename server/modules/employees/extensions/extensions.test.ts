import { randomUUID } from 'node:crypto'

import { expect, test } from 'vitest'

import { newEmployee } from '../../../../test/harness/employees.ts'
import { harness, type TestCompany } from '../../../../test/harness/index.ts'
import { isShortNumber } from '../../../platform/text/short-numbers/short-numbers.ts'
import { setExtension } from './extensions.ts'

const bellhop = await harness()
const { sql } = bellhop.db

const hire = ({ companyId }: TestCompany, name: string) =>
  bellhop.db.tx((tx) => newEmployee(tx, companyId, { name, email: `${randomUUID()}@example.com` }))

const listed = async ({ api }: TestCompany): Promise<{ name: string; extension: string }[]> =>
  (await api.get('/extensions')).body.extensions

const extensions = async (company: TestCompany) => (await listed(company)).map(({ extension }) => extension)

const set = (employeeId: string, extension: string) =>
  bellhop.db.tx((tx) => setExtension(tx, employeeId, extension))

test('employees get extensions from 100 upwards, without the short numbers of the country', async () => {
  const company = await bellhop.newCompany()
  for (let count = 0; count < 25; count++) await hire(company, `Employee ${count}`)
  const given = await extensions(company)
  expect(given[0]).toBe('100')
  expect(given).toEqual(given.toSorted())
  expect(new Set(given).size).toBe(given.length)
  expect(given.filter((digits) => isShortNumber(digits, 'DK'))).toEqual([])
  expect(given).not.toContain('112')
})

test('the list has the id, the name and the extension of every employee, and nobody of another company', async () => {
  const company = await bellhop.newCompany()
  await hire(await bellhop.newCompany(), 'Stranger')
  const { body } = await company.api.post('/employees', { name: 'Bo', email: `${randomUUID()}@example.com` })
  expect(body).not.toHaveProperty('extension')
  const rows = await listed(company)
  expect(rows).toContainEqual({ employee_id: body.id, name: 'Bo', extension: expect.stringMatching(/^\d+$/) })
  expect(rows.map(({ name }) => name)).not.toContain('Stranger')
})

test('an employee of before gets an extension as soon as anybody asks for it, and keeps it', async () => {
  const company = await bellhop.newCompany()
  for (const name of ['Ann', 'Bo', 'Eve']) await hire(company, name)
  await sql`delete from extensions where company_id = ${company.companyId}`
  const [first, ...others] = await Promise.all([1, 2, 3, 4].map(() => extensions(company)))
  expect(first).toEqual(first!.toSorted())
  expect(new Set(first).size).toBe(first!.length)
  for (const other of others) expect(other).toEqual(first)
})

test('employees who are added at the same time get different extensions', async () => {
  const company = await bellhop.newCompany()
  await Promise.all(['Ann', 'Bo', 'Eve', 'Ida'].map((name) => hire(company, name)))
  const given = await extensions(company)
  expect(new Set(given).size).toBe(given.length)
})

test('the operator changes an extension; a taken or short number, or anything else, is refused', async () => {
  const company = await bellhop.newCompany()
  const [ann, bo] = [await hire(company, 'Ann'), await hire(company, 'Bo')]
  await set(ann.id, '42')
  await set(ann.id, '4242')
  expect(await listed(company)).toContainEqual(expect.objectContaining({ name: 'Ann', extension: '4242' }))
  for (const wrong of ['4242', '112', '1', '123456', '012', '12a', '', '+12'])
    await expect(set(bo.id, wrong)).rejects.toThrow()
  await expect(set(randomUUID(), '43')).rejects.toMatchObject({ code: 'not_found' })
  const other = await hire(await bellhop.newCompany(), 'Eve')
  await set(other.id, '4242')
})

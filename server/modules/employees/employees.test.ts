import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { type Harness, harness, type TestCompany } from '../../../test/harness/index.ts'
import { untilWaiting } from '../../../test/harness/routes/insert-barrier.ts'
import { createVault } from '../../platform/crypto/crypto.ts'
import { decodeId, encodeId } from '../../platform/ids.ts'
import { createDevice } from '../devices/index.ts'
import { addNumber } from '../numbers/index.ts'
import { withQueue } from '../queue/index.ts'

let bellhop: Harness
let company: TestCompany

beforeAll(async () => {
  bellhop = await harness()
})

beforeEach(async () => {
  company = await bellhop.newCompany()
})

let made = 0
const newEmail = () => `employee-${++made}@example.com`
let dialled = 0
const newNumber = () => `+45789${10_000 + dialled++}`

const uuidOf = (employee: { id: string }) => decodeId('emp', employee.id)!

const refused = (field: string, message: string) => ({
  error: 'validation_failed',
  message: `${field} ${message}.`,
  errors: { [field]: [message] },
})

async function employ(input: object = {}) {
  const { status, body } = await company.api.post('/employees', { name: 'Bo', email: newEmail(), ...input })
  expect(status).toBe(201)
  return body
}

const employees = async () => (await company.api.get('/employees')).body.employees as { id: string }[]

async function pendingJobs(): Promise<number> {
  const [row] = await bellhop.db.sql<
    { count: number }[]
  >`select count(*)::int as count from graphile_worker.jobs`
  return row!.count
}

describe('adding an employee', () => {
  test('returns 201 with every field, invited and not yet reachable', async () => {
    const email = newEmail()
    const { status, body } = await company.api.post('/employees', {
      name: ' Bo Lund ',
      email: ` ${email} `,
      phone: '20 12 34 56',
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^emp_[0-9a-z]{26}$/),
      name: 'Bo Lund',
      email,
      phone: '+4520123456',
      email_confirmation_pending: false,
      invitation_pending: true,
      status: 'logged_out',
      do_not_disturb: false,
      do_not_disturb_activated_at: null,
      do_not_disturb_expires_at: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: body.created_at,
    })
    expect((await company.api.get(`/employees/${body.id}`)).body).toEqual(body)
  })

  test('requires no phone, and ignores fields that only the server sets', async () => {
    const body = await employ({
      phone: null,
      invitation_pending: false,
      status: 'available',
      do_not_disturb: true,
      password: 'correct horse battery staple',
    })
    expect(body).toMatchObject({
      phone: null,
      invitation_pending: true,
      status: 'logged_out',
      do_not_disturb: false,
    })
    expect(body).not.toHaveProperty('password')
    const [row] = await bellhop.db.sql`select password_hash from employees where id = ${uuidOf(body)}`
    expect(row).toEqual({ password_hash: null })
  })

  test.each([
    [{ name: undefined }, refused('name', 'is required')],
    [{ name: null }, refused('name', 'must be a string')],
    [{ name: ' ' }, refused('name', "can't be blank")],
    [{ name: 7 }, refused('name', 'must be a string')],
    [{ name: 'x'.repeat(256) }, refused('name', 'is too long (at most 255 characters)')],
    [{ name: 'a\0b' }, refused('name', 'contains characters that cannot be stored')],
    [{ email: undefined }, refused('email', 'is required')],
    [{ email: null }, refused('email', 'must be a string')],
    [{ email: '' }, refused('email', 'is not an e-mail address')],
    [{ email: 'bo' }, refused('email', 'is not an e-mail address')],
    [{ email: 'bo@example.com\r\nBcc: eve@example.com' }, refused('email', 'is not an e-mail address')],
    [{ email: 'bo@example.com,eve@example.com' }, refused('email', 'is not an e-mail address')],
    [{ email: 'Bo <bo@example.com>' }, refused('email', 'is not an e-mail address')],
    // Browsers would submit a different spelling when the employee signs in.
    [{ email: 'bo@blåbjerg.example' }, refused('email', 'is not an e-mail address')],
    [{ phone: 'call me' }, refused('phone', 'is not a phone number')],
    [{ phone: 20123456 }, refused('phone', 'must be a string')],
  ])('refuses %j with 422, stores nothing and invites nobody', async (wrong, expected) => {
    const before = await pendingJobs()
    const { status, body } = await company.api.post('/employees', {
      name: 'Bo',
      email: newEmail(),
      ...wrong,
    })
    expect(status).toBe(422)
    expect(body).toEqual(expected)
    expect(await employees()).toHaveLength(1)
    expect(await pendingJobs()).toBe(before)
  })

  test('names every wrong field at once, the phone too', async () => {
    const { body } = await company.api.post('/employees', { name: '', email: 'bo', phone: '12' })
    const email = ['is not an e-mail address']
    expect(body.errors).toEqual({ name: ["can't be blank"], email, phone: ['is not a phone number'] })
    expect(body.message).toMatch(/phone is not a phone number/)
    const bo = await company.api.post('/employees', { name: 'Bo', email: newEmail() })
    const changed = await company.api.patch(`/employees/${bo.body.id}`, { email: 'bo', phone: '12' })
    expect([changed.status, changed.body.errors]).toEqual([422, { email, phone: ['is not a phone number'] }])
  })
})

describe('an e-mail address', () => {
  test('may contain every character that mail servers accept', async () => {
    const email = `o'brien/bo%crm&a=b+${newEmail()}`
    expect((await company.api.post('/employees', { name: 'Bo', email })).body).toMatchObject({ email })
  })

  test('is unique across all companies, in any letter case', async () => {
    const email = newEmail()
    await employ({ email })
    const other = await bellhop.newCompany()
    for (const api of [company.api, other.api]) {
      for (const taken of [email, email.toUpperCase(), ` ${email} `]) {
        const { status, body } = await api.post('/employees', { name: 'Copy', email: taken })
        expect(status).toBe(422)
        expect(body).toEqual(refused('email', 'is already used by another employee'))
      }
    }
    expect((await other.api.get('/employees')).body.employees).toHaveLength(1)
  })

  test('keeps its letter case', async () => {
    const email = newEmail().replace('employee', 'Employee')
    expect((await employ({ email })).email).toBe(email)
  })

  test('cannot be changed to that of another employee, and nothing else in that request is stored', async () => {
    const other = await bellhop.newCompany()
    const theirs = newEmail()
    await other.api.post('/employees', { name: 'Theirs', email: theirs })
    const bo = await employ()
    const { status, body } = await company.api.patch(`/employees/${bo.id}`, {
      name: 'Changed',
      email: theirs.toUpperCase(),
    })
    expect(status).toBe(422)
    expect(body).toEqual(refused('email', 'is already used by another employee'))
    expect((await company.api.get(`/employees/${bo.id}`)).body).toEqual(bo)
  })

  test('can be changed to another letter case of itself', async () => {
    const bo = await employ()
    const { status, body } = await company.api.patch(`/employees/${bo.id}`, { email: bo.email.toUpperCase() })
    expect(status).toBe(200)
    expect(body.email).toBe(bo.email.toUpperCase())
  })

  test('requested by two companies concurrently goes to one of them', async () => {
    const email = newEmail()
    const other = await bellhop.newCompany()
    const answers = await Promise.all(
      [company, other, company, other].map(({ api }) => api.post('/employees', { name: 'Bo', email })),
    )
    const statuses = answers.map((answer) => answer.status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.filter((status) => status === 422)).toHaveLength(3)
  })

  test('is free again once its employee is deleted', async () => {
    const { id, email } = await employ()
    expect((await company.api.delete(`/employees/${id}`)).status).toBe(204)
    await employ({ email })
  })
})

describe('listing employees', () => {
  test('returns those of the company, oldest first, under the key employees', async () => {
    const other = await bellhop.newCompany()
    await other.api.post('/employees', { name: 'Theirs', email: newEmail() })
    const hired = [await employ(), await employ(), await employ()]
    const { status, body } = await company.api.get('/employees')
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['employees'])
    const [owner, ...rest] = body.employees
    expect(owner).toMatchObject({ id: encodeId('emp', company.employeeId), invitation_pending: false })
    expect(rest).toEqual(hired)
  })
})

describe('changing an employee', () => {
  test('sets the fields that are sent, keeps the rest, and updates updated_at', async () => {
    const bo = await employ({ phone: '+4520123456' })
    await bellhop.db.sql`
      update employees set updated_at = updated_at - interval '1 hour' where id = ${uuidOf(bo)}`
    const email = newEmail()
    const { status, body } = await company.api.patch(`/employees/${bo.id}`, { name: ' Bo Lund ', email })
    expect(status).toBe(200)
    expect(body).toEqual({ ...bo, name: 'Bo Lund', email, updated_at: expect.any(String) })
    expect(Date.parse(body.updated_at)).toBeGreaterThanOrEqual(Date.parse(bo.updated_at))
    expect((await company.api.get(`/employees/${bo.id}`)).body).toEqual(body)
  })

  test('normalises the phone; null and blank clear it', async () => {
    const bo = await employ()
    const path = `/employees/${bo.id}`
    expect((await company.api.patch(path, { phone: '20 12 34 56' })).body.phone).toBe('+4520123456')
    expect((await company.api.patch(path, { name: 'Bo L' })).body.phone).toBe('+4520123456')
    expect((await company.api.patch(path, { phone: null })).body.phone).toBeNull()
    expect((await company.api.patch(path, { phone: '+46701234567' })).body.phone).toBe('+46701234567')
    expect((await company.api.patch(path, { phone: ' ' })).body.phone).toBeNull()
  })

  test('with nothing, or with read-only fields, changes nothing', async () => {
    const bo = await employ()
    for (const input of [
      {},
      { status: 'available', do_not_disturb: true, invitation_pending: false, password: 'x', id: 'y' },
    ]) {
      const { status, body } = await company.api.patch(`/employees/${bo.id}`, input)
      expect(status).toBe(200)
      expect(body).toEqual(bo)
    }
    const [row] = await bellhop.db.sql`select password_hash from employees where id = ${uuidOf(bo)}`
    expect(row).toEqual({ password_hash: null })
  })

  test.each([
    [{ name: null }, refused('name', 'must be a string')],
    [{ name: '' }, refused('name', "can't be blank")],
    [{ email: null }, refused('email', 'must be a string')],
    [{ email: 'bo' }, refused('email', 'is not an e-mail address')],
    [{ phone: 'x' }, refused('phone', 'is not a phone number')],
    [{ phone: false }, refused('phone', 'must be a string')],
  ])('to %j is refused with 422 and changes nothing', async (wrong, expected) => {
    const bo = await employ()
    const input = 'name' in wrong ? wrong : { name: 'Changed', ...wrong }
    const { status, body } = await company.api.patch(`/employees/${bo.id}`, input)
    expect(status).toBe(422)
    expect(body).toEqual(expected)
    expect((await company.api.get(`/employees/${bo.id}`)).body).toEqual(bo)
  })
})

describe('deleting an employee', () => {
  test('returns 204 without a body, after which they are not found', async () => {
    const bo = await employ()
    const deleted = await company.api.delete(`/employees/${bo.id}`)
    expect(deleted.status).toBe(204)
    expect(deleted.body).toBeUndefined()
    for (const answer of [
      await company.api.get(`/employees/${bo.id}`),
      await company.api.patch(`/employees/${bo.id}`, { name: 'x' }),
      await company.api.delete(`/employees/${bo.id}`),
    ]) {
      expect(answer.status).toBe(404)
      expect(answer.body).toEqual({ error: 'not_found', message: expect.any(String) })
    }
    expect(await employees()).toHaveLength(1)
  })

  test('deletes their API keys and devices, and nobody else’s', async () => {
    const bo = await employ()
    const key = await bellhop.keyFor(uuidOf(bo))
    expect((await key.api.get('/company')).status).toBe(200)
    const vault = createVault('a secret that is only used in this test')
    await bellhop.db.tx(async (tx) => {
      await createDevice(tx, vault, uuidOf(bo), { name: 'Desk phone' })
      await createDevice(tx, vault, company.employeeId, { name: 'Other phone' })
    })
    await company.api.delete(`/employees/${bo.id}`)
    const devices = await bellhop.db
      .sql`select employee_id from devices where company_id = ${company.companyId}`
    expect(devices.map((row) => row.employee_id)).toEqual([company.employeeId])
    const keys = await bellhop.db
      .sql`select employee_id from api_keys where company_id = ${company.companyId}`
    expect(keys.map((row) => row.employee_id)).toEqual([company.employeeId])
    await expect.poll(async () => (await key.api.get('/company')).status).toBe(401)
    expect((await company.api.get('/company')).status).toBe(200)
  })

  test('who created the key in use is 403, before any other check', async () => {
    const path = `/employees/${encodeId('emp', company.employeeId)}`
    const forbidden = {
      error: 'creator_of_key_in_use',
      message:
        'You are acting as this employee. Use the API key or access token of another one to delete them.',
    }
    const alone = await company.api.delete(path)
    expect(alone.status).toBe(403)
    expect(alone.body).toEqual(forbidden)

    await bellhop.db.tx((tx) => addNumber(tx, company.companyId, { number: newNumber(), name: 'Shop' }))
    const asCallTarget = await company.api.delete(path)
    expect(asCallTarget.status).toBe(403)
    expect(asCallTarget.body).toEqual(forbidden)

    const second = await bellhop.keyFor(company.employeeId)
    expect((await second.api.delete(path)).status).toBe(403)
    expect(await employees()).toHaveLength(1)
  })

  test('who created another key is possible with the key of a coworker', async () => {
    const bo = await employ()
    const { api } = await bellhop.keyFor(uuidOf(bo))
    expect((await api.delete(`/employees/${encodeId('emp', company.employeeId)}`)).status).toBe(204)
    expect((await api.get('/employees')).body.employees).toEqual([bo])
  })

  test('leaves somebody, also when two delete each other at the same moment', async () => {
    const bo = await employ()
    const { api } = await bellhop.keyFor(uuidOf(bo))
    const deleting = await bellhop.db.tx((tx) =>
      withQueue(tx, company.companyId, async (queue) => {
        // Resolves once the preceding lock is taken: until then, one of them could take it first.
        await queue`select`
        const deleting = [
          company.api.delete(`/employees/${bo.id}`),
          api.delete(`/employees/${encodeId('emp', company.employeeId)}`),
        ]
        await untilWaiting(queue, 2)
        return { deleting }
      }),
    )
    const answers = await Promise.all(deleting.deleting)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204, 409]))
    expect(answers.find(({ status }) => status === 409)!.body.error).toBe('last_employee')
  })

  test('who is a call target is 422 and names the numbers', async () => {
    const bo = await employ()
    const [shop, workshop, other] = await bellhop.db.tx(async (tx) => [
      await addNumber(tx, company.companyId, { number: newNumber(), name: 'Shop' }),
      await addNumber(tx, company.companyId, {
        number: newNumber(),
        name: 'Workshop',
        incoming: {
          type: 'PhoneMenuConfig',
          welcome: 'Press one.',
          menu_options: [{ digit: '1', action_type: 'TransferConfig', employee_ids: [bo.id] }],
        },
      }),
      await addNumber(tx, company.companyId, {
        number: newNumber(),
        name: 'Closed',
        incoming: { type: 'RejectConfig', message: 'Goodbye.' },
      }),
    ])
    const { status, body } = await company.api.delete(`/employees/${bo.id}`)
    expect(status).toBe(422)
    expect(body).toEqual({
      error: 'employee_is_call_target',
      message: expect.stringMatching(/^[A-Z].*\.$/),
      errors: { base: [body.message] },
      business_numbers: [
        { id: encodeId('num', shop.id), name: 'Shop' },
        { id: encodeId('num', workshop.id), name: 'Workshop' },
      ],
    })
    expect(JSON.stringify(body)).not.toContain(encodeId('num', other.id))
    expect((await company.api.get(`/employees/${bo.id}`)).body).toEqual(bo)
  })

  test('is possible as soon as no number rings them', async () => {
    const bo = await employ()
    const { id } = await bellhop.db.tx((tx) =>
      addNumber(tx, company.companyId, { number: newNumber(), name: 'Shop' }),
    )
    expect((await company.api.delete(`/employees/${bo.id}`)).status).toBe(422)
    await bellhop.db
      .sql`delete from call_targets where business_number_id = ${id} and employee_id = ${uuidOf(bo)}`
    expect((await company.api.delete(`/employees/${bo.id}`)).status).toBe(204)
  })
})

describe('an employee of another company', () => {
  test('is not found, exactly as one that never existed, and stays as they are', async () => {
    const other = await bellhop.newCompany()
    const path = `/employees/${encodeId('emp', other.employeeId)}`
    const before = (await other.api.get(path)).body
    const unknown = await company.api.get('/employees/emp_01h455vb4pex5vsknk084sn02q')
    expect(unknown.status).toBe(404)
    for (const answer of [
      await company.api.get(path),
      await company.api.patch(path, { name: 'Ours' }),
      await company.api.delete(path),
    ]) {
      expect(answer.status).toBe(404)
      expect(answer.body).toEqual(unknown.body)
    }
    expect((await other.api.get(path)).body).toEqual(before)
  })

  test('is indistinguishable from an unknown one by their e-mail address', async () => {
    const other = await bellhop.newCompany()
    const theirs = `/employees/${encodeId('emp', other.employeeId)}`
    const mine = await employ()
    const foreign = await company.api.patch(theirs, { email: mine.email })
    const unknown = await company.api.patch('/employees/emp_01h455vb4pex5vsknk084sn02q', {
      email: mine.email,
    })
    expect(foreign.status).toBe(404)
    expect(foreign.body).toEqual(unknown.body)
  })
})

import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { newCall, newNumber } from '../../../../test/harness/calls/telephony.ts'
import { newEmployee } from '../../../../test/harness/employees.ts'
import { type Harness, harness, type TestCompany } from '../../../../test/harness/index.ts'
import { openCable } from '../../../../test/harness/peers/cable-socket.ts'
import { decodeId, encodeId } from '../../../platform/ids.ts'

let bellhop: Harness
let company: TestCompany

beforeAll(async () => {
  bellhop = await harness()
})

beforeEach(async () => {
  company = await bellhop.newCompany()
})

const BO = '+4520112233'

const pathOf = (call: string) => `/calls/${encodeId('cal', call)}`
const wrapUpOf = async (call: string): Promise<any> => (await company.api.get(pathOf(call))).body.wrap_up

async function wrapUp(call: string, body: object, { api } = company): Promise<any> {
  const { status, body: answer } = await api.put(`${pathOf(call)}/wrap_up`, body)
  expect(status, JSON.stringify(answer)).toBe(200)
  return answer.wrap_up
}

/** The calls of a list, as uuids. */
async function listed(filter: Record<string, string>): Promise<string[]> {
  const { status, body } = await company.api.get(`/calls?${new URLSearchParams(filter).toString()}`)
  expect(status).toBe(200)
  return (body.calls as { id: string }[]).map(({ id }) => decodeId('cal', id)!)
}

async function coworker(name: string) {
  const { id } = await bellhop.db.tx((tx) =>
    newEmployee(tx, company.companyId, { name, email: `${crypto.randomUUID()}@example.com` }),
  )
  return { ...(await bellhop.keyFor(id)), id: encodeId('emp', id) }
}

describe('the wrap-up of a call', () => {
  test('is kept with the call, with its author and its time, and shown wherever the call is', async () => {
    const call = await newCall(company)
    expect(await wrapUpOf(call)).toBeNull()
    const saved = await wrapUp(call, { outcome: 'call_back', note: 'Wants a price\nfor *two* tyres.' })
    expect(saved).toEqual({
      outcome: 'call_back',
      note: 'Wants a price\nfor *two* tyres.',
      author: { id: encodeId('emp', company.employeeId), name: 'Owner' },
      updated_at: expect.any(String),
    })
    expect(await wrapUpOf(call)).toEqual(saved)
    expect((await company.api.get('/calls')).body.calls[0].wrap_up).toEqual(saved)
    expect((await company.api.get(`/inbox/${BO}/activity`)).body.items[0].wrap_up).toEqual(saved)
  })

  test('may have an outcome or a note alone, and goes when it has neither', async () => {
    const call = await newCall(company)
    expect(await wrapUp(call, { outcome: 'spam', note: null })).toMatchObject({ outcome: 'spam', note: null })
    expect(await wrapUp(call, { outcome: null, note: 'Was nice.' })).toMatchObject({ outcome: null })
    expect(await wrapUp(call, { outcome: null, note: '  ' })).toBeNull()
    expect(await wrapUpOf(call)).toBeNull()
  })

  test('reaches everybody over the live channel', async () => {
    const call = await newCall(company)
    const cable = await openCable(bellhop.url, company)
    await wrapUp(call, { outcome: 'resolved', note: null })
    expect((await cable.message()).message).toEqual({ type: 'call_update', id: encodeId('cal', call) })
  })

  test('names whoever wrote it last, also after they have left', async () => {
    const call = await newCall(company)
    const anna = await coworker('Anna')
    await wrapUp(call, { outcome: 'resolved', note: null })
    await wrapUp(call, { outcome: 'resolved', note: 'Paid.' }, { ...company, api: anna.api })
    await company.api.delete(`/employees/${anna.id}`)
    expect(await wrapUpOf(call)).toMatchObject({ note: 'Paid.', author: { id: anna.id, name: 'Anna' } })
  })

  test('does not replace one that its author has not read', async () => {
    const call = await newCall(company)
    const first = await wrapUp(call, { outcome: null, note: 'Hers.', previous_updated_at: null })
    for (const previous_updated_at of [null, '2026-01-01T00:00:00.000Z']) {
      const late = { outcome: 'spam', note: 'His.', previous_updated_at }
      const { status, body } = await company.api.put(`${pathOf(call)}/wrap_up`, late)
      expect([status, body.error]).toEqual([409, 'wrap_up_changed'])
    }
    expect(await wrapUpOf(call)).toEqual(first)
    const second = { outcome: null, note: 'Hers. His.', previous_updated_at: first.updated_at }
    expect(await wrapUp(call, second)).toMatchObject({ note: 'Hers. His.' })
  })

  test('of another company is not found', async () => {
    const call = await newCall(await bellhop.newCompany())
    expect((await company.api.put(`${pathOf(call)}/wrap_up`, { outcome: null, note: 'x' })).status).toBe(404)
  })

  test.each([
    ['outcome', { outcome: 'great', note: null }],
    ['note', { outcome: null, note: 'x'.repeat(4_001) }],
    ['outcome', { note: 'x' }],
    ['previous_updated_at', { outcome: null, note: null, previous_updated_at: 'yesterday' }],
  ])('is refused with a wrong %s', async (field, body) => {
    const { status, body: answer } = await company.api.put(`${pathOf(await newCall(company))}/wrap_up`, body)
    expect([status, Object.keys(answer.errors)]).toEqual([422, [field]])
  })

  test('loses its note with the contact, and keeps its outcome', async () => {
    const { body: contact } = await company.api.post('/contacts', { phone: BO, name: 'Bo' })
    const [both, alone] = [await newCall(company), await newCall(company)]
    const other = await newCall(company, { remote_number: '+4520112244' })
    await wrapUp(both, { outcome: 'resolved', note: 'Divorced.' })
    for (const call of [alone, other]) await wrapUp(call, { outcome: null, note: 'Divorced.' })
    expect((await company.api.delete(`/contacts/${contact.id}`)).status).toBe(204)
    expect(await wrapUpOf(both)).toMatchObject({ outcome: 'resolved', note: null })
    expect(await wrapUpOf(alone)).toBeNull()
    expect(await listed({ query: 'divorced' })).toEqual([other])
  })
})

describe('the search of calls', () => {
  test('finds the words of a note, in the language of the number, with or without a transcript', async () => {
    const business_number_id = await newNumber(company, { language: 'da', mute: true })
    const silent = await newCall(company, { business_number_id })
    const spoken = await newCall(company, { business_number_id, transcription: 'Goddag, det er Bo.' })
    await newCall(company, { business_number_id, transcription: 'Har I åbent på søndag?' })
    for (const call of [silent, spoken]) await wrapUp(call, { outcome: null, note: 'Spørger til cyklerne.' })
    expect(await listed({ query: 'cykler' })).toEqual([spoken, silent])
    expect(await listed({ query: 'goddag' })).toEqual([spoken])
    await wrapUp(spoken, { outcome: null, note: 'Ombestemt.' })
    await wrapUp(silent, { outcome: null, note: null })
    expect(await listed({ query: 'cykler' })).toEqual([])
    expect(await listed({ query: 'ombestemt' })).toEqual([spoken])
  })

  test('filters by outcome, with and without words, and by number and customer too', async () => {
    const [first, second] = [
      await newNumber(company, { mute: true }),
      await newNumber(company, { mute: true }),
    ]
    const calls: Record<string, string> = {}
    for (const [name, business_number_id, remote_number, outcome] of [
      ['a', first, BO, 'call_back'],
      ['b', first, BO, 'resolved'],
      ['c', second, BO, 'call_back'],
      ['d', second, '+4520112244', 'call_back'],
      ['e', second, BO, null],
    ] as const) {
      calls[name] = await newCall(company, { business_number_id, remote_number })
      await wrapUp(calls[name], { outcome, note: `Asked for tyres, ${name}.` })
    }
    const found = async (filter: Record<string, string>) => {
      const ids = await listed(filter)
      return Object.keys(calls)
        .filter((name) => ids.includes(calls[name]!))
        .join('')
    }
    for (const words of [{}, { query: 'tyres' }] as Record<string, string>[]) {
      expect(await found({ ...words, outcome: 'call_back' })).toBe('acd')
      expect(await found({ ...words, outcome: 'call_back', phone_number: BO })).toBe('ac')
      const number = { main_number_id: encodeId('num', second) }
      expect(await found({ ...words, outcome: 'call_back', ...number })).toBe('cd')
      expect(await found({ ...words, outcome: 'spam' })).toBe('')
    }
    expect(await found({ query: 'resolved' })).toBe('')
    expect((await company.api.get('/calls?outcome=great')).status).toBe(422)
    expect(await listed({ direction: 'internal', outcome: 'call_back' })).toEqual([])
  })
})

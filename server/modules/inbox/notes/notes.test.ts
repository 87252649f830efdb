import { describe, expect, test } from 'vitest'

import { newCall, newVoicemail } from '../../../../test/harness/calls/telephony.ts'
import { newEmployee } from '../../../../test/harness/employees.ts'
import { inboxFixture } from '../../../../test/harness/texts/inbox-fixture.ts'
import { encodeId } from '../../../platform/ids.ts'

const fixture = inboxFixture()

const ANNA = '+4520112233'
const PATH = `/inbox/${ANNA}/notes`

async function coworker(name: string) {
  const { companyId } = fixture.company
  const { id } = await fixture.bellhop.db.tx((tx) =>
    newEmployee(tx, companyId, { name, email: `${crypto.randomUUID()}@example.com` }),
  )
  return { ...(await fixture.bellhop.keyFor(id)), id: encodeId('emp', id) }
}

const write = async (text: string, mentioned: string[] = [], { api } = fixture.company): Promise<any> => {
  const { status, body } = await api.post(PATH, { text, mentioned_employee_ids: mentioned })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const notes = async (): Promise<any[]> => (await fixture.company.api.get(PATH)).body.notes
const mentions = async ({ api }: Pick<typeof fixture.company, 'api'>) => {
  const { body } = await api.get('/inbox/threads?show=mentions')
  const phones = body.threads.map((thread: { phone_number: string }) => thread.phone_number)
  expect(body.unseen_mentions).toBe(phones.length)
  return phones
}

describe('an internal note', () => {
  test('has its author and its time, newest first, and is no activity of the thread', async () => {
    await newCall(fixture.company, { business_number_id: fixture.numberId, remote_number: ANNA })
    const before = (await fixture.company.api.get('/inbox')).body
    await write('First.')
    const second = await write('Second, by\n*hand*.')
    expect(second).toEqual({
      id: expect.stringMatching(/^not_/),
      phone_number: ANNA,
      author: { id: encodeId('emp', fixture.company.employeeId), name: 'Owner' },
      text: 'Second, by\n*hand*.',
      mentions: [],
      created_at: expect.any(String),
    })
    expect((await notes()).map((note) => note.text)).toEqual(['Second, by\n*hand*.', 'First.'])
    expect((await fixture.company.api.get('/inbox')).body).toEqual(before)
    expect(await fixture.bellhop.db.sql`select from messages`).toHaveLength(0)
  })

  test('is listed by pages', async () => {
    for (const text of ['1', '2', '3']) await write(text)
    const first = (await fixture.company.api.get(`${PATH}?limit=2`)).body
    const second = (await fixture.company.api.get(`${PATH}?limit=2&cursor=${first.next_cursor}`)).body
    const texts = [...first.notes, ...second.notes].map((note: { text: string }) => note.text)
    expect(texts).toEqual(['3', '2', '1'])
    expect(second.next_cursor).toBeNull()
  })

  test('is deleted by its author alone', async () => {
    const bo = await coworker('Bo')
    const note = await write('Mine.')
    expect((await bo.api.delete(`${PATH}/${note.id}`)).status).toBe(403)
    expect((await fixture.company.api.delete(`/inbox/+4520112244/notes/${note.id}`)).status).toBe(404)
    expect((await fixture.company.api.delete(`${PATH}/${note.id}`)).status).toBe(204)
    expect(await notes()).toEqual([])
  })

  test('keeps the name of an author who has left', async () => {
    const bo = await coworker('Bo')
    await bo.api.post(PATH, { text: 'Ask for the key.' })
    await fixture.company.api.delete(`/employees/${bo.id}`)
    expect(await notes()).toMatchObject([{ author: { id: bo.id, name: 'Bo' } }])
  })

  test.each([{ text: ' ' }, { text: 'x'.repeat(4_001) }, {}])('refuses %.40o', async (body) => {
    const { status, body: answer } = await fixture.company.api.post(PATH, body)
    expect(status).toBe(422)
    expect(Object.keys(answer.errors)).toEqual(['text'])
  })
})

describe('a mention', () => {
  test('is unseen by the employee alone until they have seen it', async () => {
    await newCall(fixture.company, { business_number_id: fixture.numberId, remote_number: ANNA })
    const [bo, carl] = [await coworker('Bo'), await coworker('Carl')]
    const note = await write('@Bo Can you call back?', [bo.id, encodeId('emp', fixture.company.employeeId)])
    expect(note.mentions).toEqual([{ id: bo.id, name: 'Bo' }])
    expect([await mentions(bo), await mentions(carl), await mentions(fixture.company)]).toEqual([
      [ANNA],
      [],
      [],
    ])
    expect((await bo.api.get(`/inbox/${ANNA}/team`)).body.mentions_me).toBe(true)
    expect((await bo.api.get('/inbox/threads')).body.threads[0].mentions_me).toBe(true)
    expect((await bo.api.post(`${PATH}/seen`)).status).toBe(204)
    expect(await mentions(bo)).toEqual([])
    expect((await notes())[0].mentions).toEqual([{ id: bo.id, name: 'Bo' }])
  })

  test('shows a thread that is done', async () => {
    await newCall(fixture.company, { business_number_id: fixture.numberId, remote_number: ANNA })
    const bo = await coworker('Bo')
    await fixture.company.api.put(`/inbox/${ANNA}/state`, { state: 'done' })
    await write('@Bo', [bo.id])
    expect(await mentions(bo)).toEqual([ANNA])
  })

  test('of a stranger is refused', async () => {
    const stranger = encodeId('emp', (await fixture.bellhop.newCompany()).employeeId)
    const { status, body } = await fixture.company.api.post(PATH, {
      text: '@X',
      mentioned_employee_ids: [stranger],
    })
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual(['mentioned_employee_ids'])
  })
})

describe('the notes of a number are gone', () => {
  test('with its contact, and those of others stay', async () => {
    const { body } = await fixture.company.api.post('/contacts', { phone: ANNA })
    await write('Owes us money.')
    await fixture.company.api.post('/inbox/+4520112244/notes', { text: 'Stays.' })
    await fixture.company.api.delete(`/contacts/${body.id}`)
    expect(await notes()).toEqual([])
    expect((await fixture.company.api.get('/inbox/+4520112244/notes')).body.notes).toHaveLength(1)
  })

  test('with the last item of its thread', async () => {
    const make = () =>
      newVoicemail(fixture.company, { business_number_id: fixture.numberId, from_number: ANNA })
    const [one, other] = [await make(), await make()]
    await write('Sounded upset.')
    await fixture.company.api.delete(`/voicemails/${encodeId('voi', one)}`)
    expect(await notes()).toHaveLength(1)
    await fixture.company.api.delete(`/voicemails/${encodeId('voi', other)}`)
    expect(await notes()).toEqual([])
  })
})

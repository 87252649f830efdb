import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { newCall, newNumber, newVoicemail } from '../../../test/harness/calls/telephony.ts'
import { type Harness, harness, type TestCompany } from '../../../test/harness/index.ts'
import { type WebhookSink, webhookSink } from '../../../test/harness/peers/webhook-sink.ts'
import { EVENT_NAMES } from '../../events.ts'
import { encodeId } from '../../platform/ids.ts'
import { recordCallEvent } from '../calls/index.ts'
import { setRegistration } from '../numbers/index.ts'
import { recordVoicemailEvent } from '../voicemails/index.ts'

let bellhop: Harness
let company: TestCompany
let sink: WebhookSink
let owner: string

beforeAll(async () => {
  bellhop = await harness({ BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' })
})

beforeEach(async () => {
  company = await bellhop.newCompany()
  sink = await webhookSink()
  owner = encodeId('emp', company.employeeId)
  await subscribe([...EVENT_NAMES])
})

const subscribe = async (events: string[], url = sink.url) =>
  expect((await company.api.post('/webhooks', { name: 'All', url, events })).status).toBe(201)

/** Deliveries since the last call, as event and data. */
async function arrived(from = sink): Promise<{ event: string; data: any }[]> {
  await bellhop.deliverWebhooks()
  return from.received.splice(0).map(({ body: { event, data } }) => ({ event, data }))
}

const tell = (name: Parameters<typeof recordCallEvent>[2], callId: string) =>
  company.db.tx((tx) => recordCallEvent(tx, company.companyId, name, callId))

const setDoNotDisturb = (body: object) => company.api.put(`/employees/${owner}/do_not_disturb`, body)

const CALL_EVENTS = [
  'call.initiated',
  'call.outside_business_hours',
  'call.queued',
  'call.answered',
  'call.ended',
  'call.lost',
  'call.transcription_done',
] as const

describe('events of calls', () => {
  test.each([...CALL_EVENTS.entries()])(
    '%i %s has the call, with the field names of events',
    async (index, name) => {
      const number = await newNumber(company, { name: 'Sales', number: `+457020202${index}`, mute: true })
      const started = new Date('2026-11-14T10:00:00Z')
      const callId = await newCall(company, {
        business_number_id: number,
        state: 'queued',
        started_at: started,
        ended_at: null,
      })
      await company.db.sql`update calls set control_id = 'leg-7' where id = ${callId}`
      await tell(name, callId)
      expect(await arrived()).toEqual([
        {
          event: name,
          data: {
            id: encodeId('cal', callId),
            from: '+4520112233',
            to: `+457020202${index}`,
            direction: 'inbound',
            state: 'queued',
            started_at: '2026-11-14T10:00:00.000Z',
            answered_at: null,
            duration: null,
            summary: null,
            transcription: null,
            transcription_segments: null,
            main_number_id: encodeId('num', number),
            main_number_name: 'Sales',
            main_number_number: `+457020202${index}`,
            main_number_number_formatted: `+45 70 20 20 2${index}`,
            recording_url: null,
            employees: [],
            call_control_id: 'leg-7',
            initiated_by: null,
          },
        },
      ])
    },
  )

  test('an outbound call has its initiator and participants; each attempt has a working link', async () => {
    const callId = await newCall(company, {
      direction: 'outbound',
      answered_at: new Date('2026-11-14T10:00:05Z'),
      ended_at: new Date('2026-11-14T10:01:05Z'),
      initiated_by: company.employeeId,
      recording_key: `recordings/${company.companyId}.wav`,
    })
    await company.db.sql`
      insert into call_employees (company_id, call_id, employee_id)
      values (${company.companyId}, ${callId}, ${company.employeeId})`
    await tell('call.ended', callId)
    const [{ data }] = (await arrived()) as [{ event: string; data: any }]
    expect(data).toMatchObject({
      direction: 'outbound',
      duration: 60,
      initiated_by: { id: owner, name: 'Owner' },
      employees: [{ id: owner, name: 'Owner' }],
    })
    // There is no such file, but the link is valid: a changed one would be 403.
    expect((await fetch(data.recording_url)).status).toBe(404)
    const [stored] = await company.db.sql<{ text: string }[]>`select data::text as text from events`
    expect(stored!.text).not.toContain('/files/')
  })

  test('a subscription to the older name gets that name', async () => {
    const [older, current] = [await webhookSink(), await webhookSink()]
    await subscribe(['call.outside_opening_hours'], older.url)
    await subscribe(['call.outside_business_hours'], current.url)
    await tell('call.outside_business_hours', await newCall(company))
    expect((await arrived(older)).map(({ event }) => event)).toEqual(['call.outside_opening_hours'])
    expect((await arrived(current)).map(({ event }) => event)).toEqual(['call.outside_business_hours'])
  })
})

describe('events of voicemails', () => {
  test.each([
    ['voicemail.new', null],
    ['voicemail.transcription_done', 'Please call me back.'],
  ] as const)('%s has the call and the voicemail', async (name, transcription) => {
    const number = await newNumber(company, { name: 'Support', mute: true })
    const callId = await newCall(company, { business_number_id: number })
    const values = { business_number_id: number, call_id: callId, ...(transcription && { transcription }) }
    const voicemailId = await newVoicemail(company, values)
    await company.db.tx((tx) => recordVoicemailEvent(tx, company.companyId, name, voicemailId))
    const [{ event, data }] = (await arrived()) as [{ event: string; data: any }]
    expect(event).toBe(name)
    expect(data).toMatchObject({
      id: encodeId('cal', callId),
      initiated_by: null,
      main_number_name: 'Support',
    })
    expect(data.voicemail).toEqual({
      id: encodeId('voi', voicemailId),
      from: '+4520112233',
      main_number_name: 'Support',
      main_number_number: data.to,
      transcription,
      created_at: expect.stringMatching(/Z$/),
    })
  })
})

describe('events of contacts', () => {
  test('are published for creation, edits and removal, with the current contact', async () => {
    const { body: made } = await company.api.post('/contacts', { phone: '+4520304050', name: 'Anna' })
    expect(await arrived()).toEqual([{ event: 'contact.created', data: { contact: made } }])
    const { body: edited } = await company.api.patch(`/contacts/${made.id}`, { name: 'Anna Holm' })
    expect(await arrived()).toEqual([{ event: 'contact.updated', data: { contact: edited } }])
    await company.api.delete(`/contacts/${made.id}`)
    expect(await arrived()).toEqual([{ event: 'contact.deleted', data: { contact: edited } }])
  })

  test('are not published for an edit that changes nothing, nor for a refused one', async () => {
    const { body: made } = await company.api.post('/contacts', { phone: '+4520304051', name: 'Anna' })
    await arrived()
    const same = { phone: '20 30 40 51', name: ' Anna ', email: null, note: '' }
    const { status, body } = await company.api.patch(`/contacts/${made.id}`, same)
    expect([status, body]).toEqual([200, made])
    expect((await company.api.patch(`/contacts/${made.id}`, {})).status).toBe(200)
    expect((await company.api.patch(`/contacts/${made.id}`, { email: 'no' })).status).toBe(422)
    expect((await company.api.delete('/contacts/con_01h455vb4pex5vsknk084sn02q')).status).toBe(404)
    expect(await arrived()).toEqual([])
  })
})

describe('employee.status.changed', () => {
  test('is published when do not disturb is switched, and not if it stays the same', async () => {
    const { body: on } = await setDoNotDisturb({ enabled: true })
    expect(on).toMatchObject({ id: owner, do_not_disturb: true, status: 'do_not_disturb' })
    expect(await arrived()).toEqual([{ event: 'employee.status.changed', data: { employee: on } }])
    await setDoNotDisturb({ enabled: true })
    expect(await arrived()).toEqual([])
    const { body: off } = await setDoNotDisturb({ enabled: false })
    expect(await arrived()).toEqual([{ event: 'employee.status.changed', data: { employee: off } }])
    await setDoNotDisturb({ enabled: false })
    expect(await arrived()).toEqual([])
  })

  test('is published when do not disturb expires', async () => {
    const soon = new Date(bellhop.clock.now().getTime() + 3_600_000).toISOString()
    await setDoNotDisturb({ enabled: true, expires_at: soon })
    await arrived()
    // The job uses the time of the database, which tests cannot move.
    await company.db.sql`update employees set do_not_disturb_expires_at = now() - interval '1 second'
      where id = ${company.employeeId}`
    await company.db.sql`update graphile_worker._private_jobs set run_at = now()`
    await bellhop.drainJobs()
    expect(await arrived()).toMatchObject([
      { event: 'employee.status.changed', data: { employee: { id: owner, do_not_disturb: false } } },
    ])
  })
})

describe('events of numbers', () => {
  test('are published for a decision of the carrier, once, and again for another reason', async () => {
    const numberId = await newNumber(company, { number: '+4570303030', mute: true })
    const set = (input: Parameters<typeof setRegistration>[2]) =>
      company.db.tx((tx) => setRegistration(tx, numberId, input))
    const main_number = { id: encodeId('num', numberId), number: '+4570303030' }
    await set({ status: 'submitted' })
    expect(await arrived()).toEqual([])
    await set({ status: 'rejected', reason: 'The address does not match.' })
    expect(await arrived()).toEqual([
      {
        event: 'number.registration_rejected',
        data: {
          main_number: { ...main_number, registration_status: 'rejected' },
          reason: 'The address does not match.',
        },
      },
    ])
    await set({ status: 'rejected', reason: 'The address does not match.' })
    expect(await arrived()).toEqual([])
    await set({ status: 'rejected', reason: 'The VAT number is unknown.' })
    expect(await arrived()).toEqual([
      {
        event: 'number.registration_rejected',
        data: {
          main_number: { ...main_number, registration_status: 'rejected' },
          reason: 'The VAT number is unknown.',
        },
      },
    ])
    await set({ status: 'approved' })
    await set({ status: 'approved' })
    expect(await arrived()).toEqual([
      {
        event: 'number.registration_approved',
        data: { main_number: { ...main_number, registration_status: 'approved' } },
      },
    ])
  })
})

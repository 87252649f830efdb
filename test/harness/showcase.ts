import { createDemo } from '../../server/wiring/demo.ts'
import { newCall, newVoicemail } from './calls/telephony.ts'
import type { Harness, TestCompany } from './index.ts'
import { callBack, incoming } from './texts/texting.ts'

export interface Showcase extends TestCompany {
  email: string
  password: string
  /** The uuids of its numbers. */
  numbers: { shop: string; workshop: string }
}

const MINUTE_MS = 60_000

const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS)

/** Caller context of the customer with the most activity. */
export const KNOWN_OF_MIKKEL = {
  url: 'https://crm.nordlys.example/people/7',
  sections: [
    {
      type: 'fields',
      fields: [
        { label: 'Plan', value: 'Service Plus', format: 'badge' },
        { label: 'Customer since', value: '2023-03-01', format: 'date' },
        { label: 'Owes', value: { amount: '349.00', currency: 'DKK' }, format: 'money', bold: true },
      ],
    },
    {
      type: 'table',
      label: 'Bikes',
      columns: [
        { key: 'frame', label: 'Frame' },
        { key: 'service', label: 'Next service', format: 'date' },
      ],
      rows: [
        { values: { frame: 'Cargo, red', service: '2026-11-19' } },
        { values: { frame: 'City, grey', service: '2027-04-02' } },
      ],
    },
  ],
}

/** The demo company after a morning of work, for screenshots rather than assertions. */
export async function newShowcase(bellhop: Harness): Promise<Showcase> {
  const { db } = bellhop
  const { email, password } = await db.tx(createDemo)
  const [employee] = await db.sql<{ id: string; company_id: string }[]>`
    select id, company_id from employees where email = ${email}`
  const { id: employeeId, company_id: companyId } = employee!
  const numbers = await db.sql<{ id: string; name: string; number: string }[]>`
    select id, name, number from business_numbers where company_id = ${companyId}`
  const [shop, workshop] = ['Shop', 'Workshop'].map((name) => numbers.find((one) => one.name === name)!)
  const company = { companyId, employeeId, db, ...(await bellhop.keyFor(employeeId)) }

  const talked = await newCall(company, {
    business_number_id: shop!.id,
    remote_number: '+4520304050',
    started_at: ago(95),
    answered_at: ago(94.8),
    ended_at: ago(91),
    summary:
      'Mikkel asks whether the brakes of his cargo bike can be repaired this week. Anna offers Thursday at ten.',
    transcription:
      'Nordlys Cykler, this is Anna. Hi, it is Mikkel. The brakes of my cargo bike squeal, can you look at them this week? Thursday at ten would work. Perfect, see you then.',
  })
  await db.sql`insert into call_employees (company_id, call_id, employee_id) values (${companyId}, ${talked}, ${employeeId})`
  await db.sql`update calls set transcription_segments = ${db.sql.json([
    { speaker: 'Anna Holm', text: 'Nordlys Cykler, this is Anna.', employee_id: employeeId },
    {
      speaker: 'Mikkel Dahl',
      text: 'Hi, it is Mikkel. The brakes of my cargo bike squeal, can you look at them this week?',
    },
    { speaker: 'Anna Holm', text: 'Thursday at ten would work.', employee_id: employeeId },
    { speaker: 'Mikkel Dahl', text: 'Perfect, see you then.' },
  ])} where id = ${talked}`
  await newCall(company, {
    business_number_id: workshop!.id,
    remote_number: '+4531415161',
    started_at: ago(40),
    ended_at: ago(39.5),
  })
  await newCall(company, {
    business_number_id: shop!.id,
    remote_number: '+46701234567',
    state: 'queued',
    started_at: ago(1.4),
    ended_at: null,
  })
  await newVoicemail(company, {
    business_number_id: workshop!.id,
    from_number: '+4542526272',
    transcription:
      'Good morning, it is the coffee bar at the harbour. One of our delivery bikes has a flat tyre again. Could you call us back?',
  })
  await company.api.post('/text_snippets', {
    title: 'Ready',
    text: 'Your bike is ready. We are open until five today.',
    position: 0,
  })
  await company.api.post('/text_snippets', {
    title: 'The way here',
    text: 'You find us at Havnegade 12, behind the station.',
    position: 1,
  })
  for (const [from, to, text] of [
    ['+4520304050', shop!.number, 'Hi Anna, is my bike ready? I could come by at four.'],
    ['+4531415161', workshop!.number, 'Do you also have lights for the trailer?'],
    ['+4527384950', shop!.number, 'Er I åbent på lørdag?'],
  ] as const) {
    await callBack(bellhop, 'messages', incoming(to, { from, text, received_at: new Date().toISOString() }))
  }
  return { ...company, email, password, numbers: { shop: shop!.id, workshop: workshop!.id } }
}

import { setTimeout as pause } from 'node:timers/promises'

import type { ExpectedState } from '../campaign-state.ts'
import type { RunningBellhop } from '../environment/running-bellhop.ts'
import type { SeededRandom } from '../random.ts'
import { type Api, isDone } from './api.ts'
import { keepUpCalls } from './calls.ts'
import type { Carrier } from './carrier.ts'
import { keepUpContacts } from './contacts.ts'
import { keepUpDoNotDisturb } from './do-not-disturb.ts'
import { keepUpIncomingTexts } from './incoming-texts.ts'
import type { Phones } from './phones.ts'
import type { Provider } from './provider.ts'
import type { Sink } from './sink.ts'
import { keepUpTexts } from './texts.ts'

const LIMITS = { readyMs: 120_000, lookMs: 250 }

const EVENTS = [
  'contact.created',
  'contact.updated',
  'contact.deleted',
  'call.initiated',
  'call.queued',
  'call.answered',
  'call.ended',
  'call.lost',
  'voicemail.new',
  'employee.status.changed',
  'message.received',
  'message.status_changed',
]

/**
 * What the company needs before the first call: call flows, an automatic reply, a subscription, phones and greetings.
 */
export async function prepare(stage: RunningBellhop, api: Api, sink: Sink, phones: Phones): Promise<void> {
  const { company } = stage
  const { key } = company.shy
  const must = async (method: string, path: string, body: object) => {
    const outcome = await api.ask(key, method, path, body)
    if (!isDone(outcome)) throw new Error(`${method} ${path}: ${JSON.stringify(outcome)}`)
  }
  for (const [index, line] of company.lines.entries()) {
    const flow = { type: 'TransferConfig', employee_ids: [company.desks[index]!.id] }
    await must('PUT', `/business_numbers/${line.id}/incoming_call_config`, flow)
  }
  const greeting = { type: 'VoicemailConfig', greeting: 'Hello.' }
  await must('PUT', `/business_numbers/${company.voicemail.id}/incoming_call_config`, greeting)
  const week = Array.from({ length: 7 }, (_, day_of_week) => ({
    day_of_week,
    open: false,
    opening_at: '09:00',
    closing_at: '17:00',
  }))
  const closed = `/business_numbers/${company.closed.id}`
  await must('PUT', `${closed}/outside_business_hours_config`, { ...greeting, business_hours: week })
  await must('PATCH', `${closed}/texting_settings`, {
    auto_reply_enabled: true,
    auto_reply_text: 'We are closed.',
  })
  await must('POST', '/webhooks', { name: 'Sink', url: sink.url, events: EVENTS })

  const sql = stage.postgres.connect()
  const isReady = async () => {
    const [row] = await sql<{ phones: number; unspoken: number }[]>`
      select (select count(*) from device_registrations)::int as phones,
        (select count(*) from prompts where audio_key is null)::int as unspoken`
    return row!.phones >= phones.all.length && row!.unspoken === 0
  }
  try {
    for (const since = performance.now(); !(await isReady()); await pause(LIMITS.lookMs))
      if (performance.now() - since > LIMITS.readyMs)
        throw new Error('the phones did not register, or the greetings were not spoken')
  } finally {
    await sql.end()
  }
}

interface StartParts {
  stage: RunningBellhop
  api: Api
  chance: SeededRandom
  provider: Provider
  carrier: Carrier
  phones: Phones
}

/** The whole load while faults are injected. */
export function startLoad({ stage, api, chance, provider, carrier, phones }: StartParts) {
  const partsFor = (name: string) => ({ stage, api, chance: chance.stream(name) })
  const contacts = keepUpContacts(partsFor('contacts'))
  const doNotDisturb = keepUpDoNotDisturb(partsFor('do not disturb'))
  const texts = keepUpTexts(partsFor('texts'))
  const incomingTexts = keepUpIncomingTexts(partsFor('incoming texts'), provider)
  const calls = keepUpCalls({ ...partsFor('calls'), carrier, phones })
  const books: ExpectedState = {
    contacts: contacts.book,
    doNotDisturb: doNotDisturb.book,
    texts: texts.book,
    incomingTexts: incomingTexts.book,
    calls: calls.book,
    webhooks: { checkedTo: '00000000-0000-0000-0000-000000000000', checked: 0, lost: [] },
  }
  const stop = async () => {
    await Promise.all([contacts, doNotDisturb, texts, incomingTexts, calls].map((part) => part.stop()))
  }
  return { books, stop }
}

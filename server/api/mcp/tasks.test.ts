import type { Client, JsonSchemaType } from '@modelcontextprotocol/client'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import { beforeAll, beforeEach, expect, test } from 'vitest'

import { newCall, newNumber, newVoicemail } from '../../../test/harness/calls/telephony.ts'
import { type Harness, harness, type TestCompany } from '../../../test/harness/index.ts'
import { withMcpClient } from '../../../test/harness/peers/mcp-client.ts'
import { newFailedMessage } from '../../../test/harness/texts/texting.ts'
import { newText, TEXT_KEYS } from '../../../test/harness/texts/texts.ts'
import { encodeId } from '../../platform/ids.ts'

const MIKKEL = '+4520112233'

let bellhop: Harness
let company: TestCompany
let number: string

beforeAll(async () => {
  bellhop = await harness(TEXT_KEYS)
})

/** A company to which Mikkel has written that he waits for his bike. */
beforeEach(async () => {
  company = await bellhop.newCompany({ messaging: true })
  const business_number_id = await newNumber(company, { mute: true })
  number = encodeId('num', business_number_id)
  await company.api.post('/contacts', { phone: MIKKEL, name: 'Mikkel Bruun' })
  await newText(company, { business_number_id, remote_number: MIKKEL, text: 'Is my bike ready?' })
})

/** Calls a tool as a model would: with arguments that its published schema allows, and no others. */
type Use = (name: string, input?: Record<string, unknown>) => Promise<any>

const validator = new AjvJsonSchemaValidator()

async function useOf(client: Client): Promise<Use> {
  const { tools } = await client.listTools()
  return async (name, input = {}) => {
    const tool = tools.find((one) => one.name === name)
    expect(tool, `${name} is listed`).toBeDefined()
    const schema = { ...tool!.inputSchema, additionalProperties: false } as JsonSchemaType
    const { valid, errorMessage } = validator.getValidator(schema)(input)
    expect(valid, `${name}: ${errorMessage}`).toBe(true)
    const result = await client.callTool({ name, arguments: input })
    expect({ name, isError: result.isError, content: result.content }).toMatchObject({ isError: undefined })
    return result.structuredContent
  }
}

/** The steps are written by hand; they see only what the tools return. */
function task(words: string, steps: (use: Use) => Promise<void>, query = ''): void {
  test(words, () =>
    withMcpClient(bellhop, { 'x-api-key': company.key }, async (client) => steps(await useOf(client)), {
      query,
    }),
  )
}

const adminTask = (words: string, steps: (use: Use) => Promise<void>) => task(words, steps, '?tools=all')

task('Text Mikkel that his bike is ready.', async (use) => {
  const { threads } = await use('list_threads', { query: 'mikkel', limit: 5 })
  const { phone_number, reply_business_number_id } = threads[0]
  const input = { to: phone_number, text: 'Your bike is ready.', idempotency_key: 'mikkel-bike-ready' }
  const sent = await use('send_message', { id: reply_business_number_id, ...input })
  expect(sent).toMatchObject({ to: MIKKEL, text: 'Your bike is ready.', direction: 'outbound' })
  const again = await use('send_message', { id: reply_business_number_id, ...input })
  expect(again.id).toBe(sent.id)
})

task('What did Mikkel write to us last?', async (use) => {
  const { items } = await use('list_activity', { phone_number: MIKKEL, limit: 1 })
  expect(items).toMatchObject([{ type: 'message', text: 'Is my bike ready?' }])
})

task('Mark everything from Mikkel as seen.', async (use) => {
  const { observed_at } = await use('list_activity', { phone_number: MIKKEL })
  await use('mark_seen', { phone_number: MIKKEL, through: observed_at })
  const { threads } = await use('list_threads', { unseen: true })
  expect(threads).toEqual([])
})

task('How many people are waiting for us to look at something?', async (use) => {
  const { total, main_numbers } = await use('count_unseen')
  expect(total).toBe(1)
  expect(main_numbers).toMatchObject([{ id: number, unseen_count: 1 }])
})

task('I have seen the missed calls of this number.', async (use) => {
  const from = '+4520445566'
  await newCall(company, { remote_number: from })
  expect((await use('count_unseen')).total).toBe(2)
  await use('mark_calls_seen', { phone_number: from })
  expect((await use('count_unseen')).total).toBe(1)
})

task('Save Anna Holm from Holm & Co as a contact, 70 12 34 56.', async (use) => {
  const saved = await use('create_contact', {
    phone: '70 12 34 56',
    name: 'Anna Holm',
    company_name: 'Holm & Co',
  })
  expect(saved).toMatchObject({ phone: '+4570123456', name: 'Anna Holm' })
})

task('Note on Mikkel that he rides a cargo bike.', async (use) => {
  const { result } = await use('list_contacts', { phone: MIKKEL })
  await use('update_contact', { id: result[0].id, note: 'Rides a cargo bike.' })
  expect((await company.api.get(`/contacts/${result[0].id}`)).body.note).toBe('Rides a cargo bike.')
})

task('I am in a meeting for an hour: no calls, please.', async (use) => {
  const { employee } = await use('get_session')
  const expires_at = new Date(bellhop.clock.now().getTime() + 3_600_000).toISOString()
  await use('set_do_not_disturb', { id: employee.id, enabled: true, expires_at })
  const { employees } = await use('list_employees')
  expect(employees).toMatchObject([{ id: employee.id, do_not_disturb_expires_at: expires_at }])
})

task('Which five customers called us last?', async (use) => {
  const callId = encodeId('cal', await newCall(company))
  const { calls } = await use('list_calls', { direction: 'inbound', limit: 5 })
  expect(calls).toMatchObject([{ id: callId }])
})

task('Who is calling from +45 20 11 22 33?', async (use) => {
  const { contact } = await use('get_caller_context', { phone: MIKKEL })
  expect(contact).toMatchObject({ name: 'Mikkel Bruun' })
})

task('Read me the new voicemails, then mark them as listened to.', async (use) => {
  await newVoicemail(company, { transcription: 'Please call me back.' })
  const { voicemails } = await use('list_voicemails')
  expect(voicemails).toMatchObject([{ transcription: 'Please call me back.', listened_at: null }])
  await use('update_voicemail', { id: voicemails[0].id, listened: true })
  expect((await use('list_voicemails')).unlistened_count).toBe(0)
})

task('Try again to send the text that failed.', async (use) => {
  const message_id = await newFailedMessage(company)
  expect(await use('get_message', { id: message_id })).toMatchObject({ status: 'failed', can_retry: true })
  const retried = await use('retry_message', { message_id, idempotency_key: 'again' })
  expect(retried).toMatchObject({ id: message_id, can_retry: false })
})

task('Keep our opening hours as a text that we can reuse.', async (use) => {
  const title = 'Opening hours'
  await use('create_text_snippet', { title, text: 'We are open from 8 to 16.', position: 1 })
  expect((await use('list_text_snippets')).result).toMatchObject([{ title }])
})

adminTask('On Saturdays we are closed: let callers leave a voicemail.', async (use) => {
  const { main_numbers } = await use('list_business_numbers')
  const changed = await use('set_business_number_outside_business_hours_config', {
    id: main_numbers[0].id,
    type: 'VoicemailConfig',
    greeting: 'We are closed. Please leave a message.',
    business_hours: [{ day_of_week: 5, open: false }],
  })
  expect(changed.outside_business_hours_config).toMatchObject({ type: 'VoicemailConfig' })
  expect(changed.business_hours[5]).toMatchObject({ day_name: 'Saturday', open: false })
})

adminTask('Ring me on key 1, and take a voicemail if I do not answer within 30 seconds.', async (use) => {
  const { employee } = await use('get_session')
  await use('set_business_number_incoming_call_config', {
    id: number,
    type: 'PhoneMenuConfig',
    welcome: 'Press 1 for the workshop.',
    menu_options: [{ digit: '1', action_type: 'TransferConfig', employee_ids: [employee.id] }],
  })
  const changed = await use('set_business_number_no_answer_config', {
    id: number,
    type: 'VoicemailConfig',
    greeting: 'Please leave a message.',
    timeout_secs: 30,
  })
  expect(changed).toMatchObject({
    incoming_call_config: { menu_options: [{ digit: '1', employee_ids: [employee.id] }] },
    no_answer_config: { type: 'VoicemailConfig' },
    no_answer_timeout_secs: 30,
  })
})

adminTask('Tell our CRM whenever a call has ended.', async (use) => {
  const created = await use('create_webhook', {
    name: 'CRM',
    url: 'https://1.1.1.1/calls',
    events: ['call.ended'],
  })
  expect(created).toMatchObject({ active: true, events: ['call.ended'] })
})

adminTask('Ask our own system who is calling.', async (use) => {
  const created = await use('create_integration', { provider: 'custom', url: 'https://1.1.1.1/callers' })
  expect(created).toMatchObject({ provider: 'custom', active: true })
})

test('a call that its schema does not allow is not made', async () => {
  await withMcpClient(bellhop, { 'x-api-key': company.key }, async (client) => {
    const use = await useOf(client)
    const without = { id: number, to: MIKKEL, text: 'Hello' }
    await expect(use('send_message', without)).rejects.toThrow('idempotency_key')
    await expect(use('list_calls', { limit: '5' })).rejects.toThrow('integer')
    await expect(use('list_calls', { page: 2 })).rejects.toThrow('additional')
  })
})

import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { encodeWav, SPEECH_SAMPLE_RATE } from '../../server/speech/embedded/wav.ts'
import { SpeechFailed, type Synthesiser } from '../../server/speech/port.ts'
import { callIs, eventually } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { keepOwnGreetings } from '../harness/share-greetings.ts'
import { sharedSpeaker } from '../harness/shared-speaker.ts'
import { toneShare } from '../harness/sound/audio-analysis.ts'
import type { RtpPhone } from '../harness/sound/rtp-phone.ts'

/** The edge's engine, which a test can break. */
let isBroken = false
const spoken: string[] = []
const speaker: Synthesiser = {
  ...sharedSpeaker(),
  async speak(request) {
    if (isBroken) throw new SpeechFailed('engine', 'the engine is broken')
    spoken.push(request.text)
    return sharedSpeaker().speak(request)
  },
}
const { bellhop, dial, callee, hire } = await openPhoneSystem({}, { speaker })
await keepOwnGreetings(bellhop.dataDir)

const ANNOUNCEMENT_HZ = 1_300

/** Replaces the announcements by a tone, which no other prompt has. */
async function retune(seconds = 1): Promise<void> {
  const folder = join(bellhop.dataDir, 'files', 'greetings')
  const tone = Float32Array.from({ length: SPEECH_SAMPLE_RATE * seconds }, (_, i) =>
    Math.sin((2 * Math.PI * ANNOUNCEMENT_HZ * i) / SPEECH_SAMPLE_RATE),
  )
  const names = await readdir(folder)
  expect(names).not.toEqual([])
  for (const name of names) await writeFile(join(folder, name), encodeWav(tone)!)
}

async function office(notice: string, flow?: object) {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const incoming = { type: 'TransferConfig', employee_ids: [anna.id], ...flow }
  const { id, number } = await numberWith(bellhop, company, incoming, { recording_enabled: true })
  const set = await company.api.put(`/business_numbers/${id}/recording_notice`, { notice })
  expect(set).toMatchObject({ status: 200, body: { notice, announcement: 'Samtalen bliver optaget.' } })
  return { company, anna, id, number }
}

const heardTone = (phone: RtpPhone, hz: number) =>
  phone.heard.some(({ samples }) => samples.length > 0 && toneShare(samples, hz) > 0.9)

/** Waits for the recorder warning tone beside the voice of the other. */
function isWarned(phone: RtpPhone, besideHz: number): Promise<boolean> {
  const from = phone.heard.length
  return phone.until('the recorder warning tone', () => {
    const sound = phone.last(100, from)
    return sound && toneShare(sound, 1_400) > 0.2 && toneShare(sound, besideHz) > 0.2
  })
}

test('a caller is told that the call is recorded before anybody is rung, and then it is', async () => {
  const { company, anna, number } = await office('announcement')
  await bellhop.drainJobs()
  // It was synthesised when the setting was saved: the edge only reads it.
  expect(spoken).toEqual([])
  await retune()
  const customer = await dial(number)
  await customer.connected()
  await customer.hears(ANNOUNCEMENT_HZ)
  expect(anna.unanswered()).toBe(0)
  const phone = await anna.rings()
  await phone.answer()
  await Promise.all([customer.hears(700), phone.hears(440)])
  expect(heardTone(phone, ANNOUNCEMENT_HZ)).toBe(false)
  const { id } = await callIs(company, 'bridged')
  expect((await anna.api.get(`/calls/${id}/recording`)).body).toEqual({ state: 'recording' })
  customer.hangUp()
  expect((await callIs(company, 'ended')).recording_url).toEqual(expect.any(String))
})

test('who is called is told when they answer, the employee hears it too, and then they talk and are recorded', async () => {
  const { company, anna } = await office('announcement')
  await bellhop.drainJobs()
  await retune()
  const phone = await anna.dial('+4520112233')
  const customer = await callee()
  await customer.answer()
  await phone.answered()
  await Promise.all([customer.hears(ANNOUNCEMENT_HZ), phone.hears(ANNOUNCEMENT_HZ)])
  // It is answered, and the rest of the company sees that.
  expect((await company.api.get('/calls')).body.calls[0].answered_at).toEqual(expect.any(String))
  await Promise.all([customer.hears(700), phone.hears(500)])
  const { id } = await callIs(company, 'bridged')
  expect((await anna.api.get(`/calls/${id}/recording`)).body).toEqual({ state: 'recording' })
  phone.hangUp()
  await customer.ended()
  expect((await callIs(company, 'ended')).recording_url).toEqual(expect.any(String))
})

test('an employee who hangs up during the announcement ends the call at once', async () => {
  const { company, anna } = await office('announcement')
  await bellhop.drainJobs()
  // Longer than the test waits for anything.
  await retune(60)
  const phone = await anna.dial('+4520112233')
  const customer = await callee()
  await customer.answer()
  await phone.answered()
  await phone.hears(ANNOUNCEMENT_HZ)
  phone.hangUp()
  await customer.ended()
  expect((await callIs(company, 'ended')).recording_url).toBeNull()
})

test('who reaches nobody is not told', async () => {
  const { company, number } = await office('announcement', { type: 'RejectConfig', message: 'Farvel.' })
  await bellhop.drainJobs()
  await retune()
  const customer = await dial(number)
  await customer.connected()
  await customer.ended()
  await callIs(company, 'ended')
  expect(heardTone(customer, ANNOUNCEMENT_HZ)).toBe(false)
})

test('an announcement that nobody has synthesised yet is, by the edge; without one the call is not recorded', async () => {
  const { company, anna, id: numberId, number } = await office('none')
  await company.api.patch(`/business_numbers/${numberId}`, { language: 'sv' })
  await bellhop.db
    .sql`update business_numbers set recording_notice = 'announcement' where company_id = ${company.companyId}`
  isBroken = true
  const told = await dial(number)
  await told.connected()
  const phone = await anna.rings()
  await phone.answer()
  await Promise.all([told.hears(700), phone.hears(440)])
  const { id } = await callIs(company, 'bridged')
  expect((await anna.api.get(`/calls/${id}/recording`)).body).toEqual({ state: 'off' })
  told.hangUp()
  expect((await callIs(company, 'ended')).recording_url).toBeNull()
  expect(bellhop.logged.join()).toContain('not recorded because the announcement')

  isBroken = false
  const next = await dial(number)
  await next.connected()
  const nextPhone = await anna.rings()
  expect(spoken).toEqual(['Samtalet spelas in.'])
  await nextPhone.answer()
  await next.hears(700)
  const { id: nextId } = await callIs(company, 'bridged')
  expect((await anna.api.get(`/calls/${nextId}/recording`)).body).toEqual({ state: 'recording' })
})

test('an emergency call is recorded without a word', async () => {
  const { company, anna } = await office('announcement')
  await bellhop.drainJobs()
  await retune()
  const phone = await anna.dial('112')
  const help = await callee()
  await help.answer()
  await phone.answered()
  await Promise.all([help.hears(700), phone.hears(500)])
  expect([help, phone].some((each) => heardTone(each, ANNOUNCEMENT_HZ))).toBe(false)
  phone.hangUp()
  await eventually(async () => expect((await callIs(company, 'ended')).recording_url).not.toBeNull())
})

test('both hear a tone while they are recorded, beside each other, and none while the recording is paused', async () => {
  const { company, anna, number } = await office('beep')
  const customer = await dial(number)
  await customer.connected()
  const phone = await anna.rings()
  await phone.answer()
  await Promise.all([isWarned(customer, 700), isWarned(phone, 440)])
  const { id } = await callIs(company, 'bridged')
  await anna.api.post(`/calls/${id}/recording/pause`)
  await Promise.all([customer.hears(700), phone.hears(440)])
  await anna.api.post(`/calls/${id}/recording/resume`)
  await Promise.all([isWarned(customer, 700), isWarned(phone, 440)])
})

import { expect, test } from 'vitest'

import { callIs, eventually, followCallEvents } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { SENTENCES, sounds } from '../harness/sound/spoken-english.ts'
import { wordErrorRate } from '../harness/sound/word-error-rate.ts'

const { bellhop, dial, hire } = await openPhoneSystem({ BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' })

/** Packets may be late on a busy machine, and cost a word. recogniser.test.ts measures what the recogniser mistakes. */
const WORD_ERRORS_MAX = 0.2

test('a real conversation is transcribed, with the name of each speaker, and can be searched', async () => {
  const company = await bellhop.newCompany()
  await company.api.post('/contacts', { phone: '+4520112233', name: 'Mikkel Dahl' })
  const anna = await hire(company, 'Anna', 0)
  const flow = { type: 'TransferConfig', employee_ids: [anna.id] }
  const more = { recording_enabled: true, language: 'en' }
  const { number } = await numberWith(bellhop, company, flow, more)
  const told = await followCallEvents(bellhop, company, ['call.transcription_done'])
  const customer = await dial(number)
  await customer.connected()
  customer.shutUp()
  const phone = await anna.rings()
  await phone.answer()
  phone.shutUp()
  await callIs(company, 'bridged')
  for (const index of [0, 1, 2, 3]) {
    const speaker = index % 2 === 0 ? customer : phone
    await speaker.recite(sounds[index]!)
    await speaker.recite(new Int16Array(8_000))
  }
  customer.hangUp()
  const ended = await callIs(company, 'ended')
  await bellhop.transcribe()
  const call = (await company.api.get(`/calls/${ended.id}`)).body
  const segments = call.transcription_segments as { speaker: string; text: string; employee_id?: string }[]
  const of = (name: string) =>
    segments
      .filter(({ speaker }) => speaker === name)
      .map(({ text }) => text)
      .join(' ')
  const wrong = (wordErrorRate(said(0), of('Mikkel Dahl')) + wordErrorRate(said(1), of('Anna'))) / 2
  expect(wrong).toBeLessThanOrEqual(WORD_ERRORS_MAX)
  expect(segments[0]!.speaker).toBe('Mikkel Dahl')
  expect(segments.find(({ speaker }) => speaker === 'Anna')!.employee_id).toBe(anna.id)
  expect(call.summary).toEqual(expect.any(String))
  expect((await told()).map(({ data }) => data.id)).toEqual([ended.id])
  await bellhop.drainJobs()
  await eventually(async () => {
    const found = await company.api.get(`/calls?query=${encodeURIComponent('the bike I bought never came')}`)
    expect(found.body.calls.map(({ id }: { id: string }) => id)).toEqual([ended.id])
  })
})

test('ringback and hold music are not transcribed', async () => {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 0)
  const flow = { type: 'TransferConfig', employee_ids: [anna.id] }
  const { number } = await numberWith(bellhop, company, flow, { recording_enabled: true, language: 'en' })
  const customer = await dial(number)
  await customer.connected()
  customer.shutUp()
  const phone = await anna.rings()
  await phone.answer()
  phone.shutUp()
  await phone.hold()
  await customer.recite(new Int16Array(24_000))
  customer.hangUp()
  const ended = await callIs(company, 'ended')
  await bellhop.transcribe()
  expect((await company.api.get(`/calls/${ended.id}`)).body).toMatchObject({
    transcription: null,
    transcription_status: 'no_speech',
  })
})

/** By one of the two, who take turns. */
const said = (first: number) => `${SENTENCES[first]} ${SENTENCES[first + 2]}`

import { expect, test } from 'vitest'

import { callIs, eventually } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { channelsOf, findTonePair, toneShare } from '../harness/sound/audio-analysis.ts'

const { bellhop, dial, hire } = await openPhoneSystem()

test('a recording has the customer on the left and employees on the right, through a transfer', async () => {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const bob = await hire(company, 'Bob', 800)
  const flow = { type: 'TransferConfig', employee_ids: [anna.id] }
  const { number } = await numberWith(bellhop, company, flow, { recording_enabled: true })
  const customer = await dial(number)
  await customer.connected()
  const annasPhone = await anna.rings()
  await annasPhone.answer()
  await Promise.all([customer.hears(700), annasPhone.hears(440)])
  const call = await callIs(company, 'bridged')
  expect(call.recording_url).toBeNull()
  const start = await anna.api.post(`/calls/${call.id}/transfers`, { employee_id: bob.id })
  const bobsPhone = await bob.rings()
  await bobsPhone.answer()
  await annasPhone.hears(800)
  const path = `/calls/${call.id}/transfers/${start.body.transfer.id}/completion`
  await eventually(async () => expect((await anna.api.post(path)).status).toBe(200))
  await Promise.all([customer.hears(800), bobsPhone.hears(440)])
  customer.hangUp()
  const { recording_url } = await callIs(company, 'ended')
  const response = await fetch(recording_url)
  expect(response.status).toBe(200)
  const [left, right] = channelsOf(Buffer.from(await response.arrayBuffer()))
  const withAnna = findTonePair(left!, 440, right!, 700)
  const withBob = findTonePair(left!, 440, right!, 800)
  expect(withAnna).toBeGreaterThanOrEqual(0)
  expect(withBob).toBeGreaterThan(withAnna)
})

test('nothing is recorded if the number is set not to', async () => {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const customer = await dial(number)
  await customer.connected()
  const phone = await anna.rings()
  await phone.answer()
  await phone.hears(440)
  phone.hangUp()
  expect((await callIs(company, 'ended')).recording_url).toBeNull()
})

test('while an employee has the call on hold, the customer hears music', async () => {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const customer = await dial(number)
  await customer.connected()
  const phone = await anna.rings()
  await phone.answer()
  await customer.hears(700)
  expect((await phone.hold()).ok).toBe(true)
  const from = customer.heard.length
  await customer.until('music', () => {
    const heard = customer.last(1_000, from)
    return heard && toneShare(heard, 700) < 0.2 && heard.some((sample) => Math.abs(sample) > 1_000)
  })
  expect((await phone.resume()).ok).toBe(true)
  await Promise.all([customer.hears(700), phone.hears(440)])
})

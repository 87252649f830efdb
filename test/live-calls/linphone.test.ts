import { expect, test } from 'vitest'

import { callIs, eventually } from '../harness/calls/call-events.ts'
import { employeeWithLinphone } from '../harness/calls/linphone-employee.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { toneShareInParts } from '../harness/sound/audio-analysis.ts'

const { bellhop, callee, dial } = await openPhoneSystem()

/** Of a WAV file. */
const CHANNELS_AT = 22
const RATE_AT = 24
const HEADER_BYTES = 44

test('Linphone registers by the link alone, answers a customer with Opus, holds, resumes and hangs up', async () => {
  const { company, id, linphone } = await employeeWithLinphone(bellhop, await bellhop.newCompany(), 700)
  const { number } = await numberWith(bellhop, company, {
    type: 'TransferConfig',
    employee_ids: [id],
  })
  const customer = await dial(number)
  await customer.connected()
  await eventually(() => expect(linphone.output()).toContain('Receiving new incoming call'))
  linphone.command('answer')
  await eventually(() => expect(linphone.output()).toContain('connected.'))
  linphone.speak()
  await customer.hears(700)
  await callIs(company, 'bridged')
  linphone.command('pause')
  await eventually(() => expect(linphone.output()).toContain('paused'))
  linphone.command('resume')
  await customer.hears(700)
  linphone.command('terminate')
  await customer.ended()
  await callIs(company, 'ended')
  const heard = await linphone.heard()
  // It records in what it received: Opus.
  const rate = heard.readUInt32LE(RATE_AT)
  expect(rate).toBe(48_000)
  // Linphone writes the length into the header when it ends.
  const samples = new Int16Array(new Uint8Array(heard.subarray(HEADER_BYTES)).buffer)
  const step = (heard.readUInt16LE(CHANNELS_AT) * rate) / 8_000
  const narrow = samples.filter((_, i) => i % step === 0)
  expect(toneShareInParts(narrow.slice(-8_000), 440)).toBeGreaterThan(0.5)
})

test('Linphone calls a customer', async () => {
  const { company, linphone } = await employeeWithLinphone(bellhop, await bellhop.newCompany(), 700)
  await numberWith(bellhop, company, { type: 'RejectConfig', message: 'Closed.' })
  linphone.command('call 20112233')
  const customer = await callee()
  expect(customer.call.uri).toMatchObject({ user: '+4520112233' })
  await customer.answer()
  await eventually(() => expect(linphone.output()).toContain('connected.'))
  linphone.speak()
  await customer.hears(700)
  await callIs(company, 'bridged')
  customer.hangUp()
  await callIs(company, 'ended')
})

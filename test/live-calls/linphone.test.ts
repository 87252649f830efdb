import { expect, onTestFinished, test, vi } from 'vitest'

import { formBrowser } from '../harness/browser/form-browser.ts'
import { newSignInEmployee, PASSWORD } from '../harness/browser/sign-in.ts'
import { callIs, eventually } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { startLinphone } from '../harness/sip/linphone.ts'
import { toneShareInParts } from '../harness/sound/audio-analysis.ts'

vi.setConfig({ testTimeout: 120_000 })

const { bellhop, callee, dial } = await openPhoneSystem()
const PATH = '/account/phones'

/** Of a WAV file. */
const RATE_AT = 24
const HEADER_BYTES = 44

/** An employee whose Linphone has set itself up by the link on the page of phones. */
async function employeeWithLinphone(hz: number) {
  const company = await bellhop.newCompany()
  const { email, id } = await newSignInEmployee(bellhop, company)
  const browser = formBrowser(bellhop.url)
  await browser.post('/sign-in', { email, password: PASSWORD })
  const { html } = await browser.submit(PATH, PATH, { name: 'Linphone' })
  const settingsUrl = /id="phone-link-linphone"[^>]*>([^<]+)</.exec(html)![1]!
  const linphone = await startLinphone({ settingsUrl, hz })
  onTestFinished(() => linphone.stop())
  await eventually(async () => expect((await browser.get(PATH)).text).toMatch(/Linphone \w+ now/))
  return { company, id, linphone }
}

test('Linphone registers by the link alone, answers a customer, holds, resumes and hangs up', async () => {
  const { company, id, linphone } = await employeeWithLinphone(700)
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
  expect(heard.readUInt32LE(RATE_AT)).toBe(8_000)
  // Linphone writes the length into the header when it ends.
  const samples = new Int16Array(new Uint8Array(heard.subarray(HEADER_BYTES)).buffer)
  expect(toneShareInParts(samples.slice(-8_000), 440)).toBeGreaterThan(0.5)
})

test('Linphone calls a customer', async () => {
  const { company, linphone } = await employeeWithLinphone(700)
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

import { expect, test } from 'vitest'

import { newBrowserEmployee } from '../harness/browser/softphone.ts'
import { callIs, eventually } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { harness } from '../harness/index.ts'

const { bellhop } = await openPhoneSystem({ SIP_SIMULATOR: 'on' })

test('a new employee has a simulated caller ring the phone, answers, and gets a text', async () => {
  const company = await bellhop.newCompany({ messaging: true })
  const anna = await newBrowserEmployee(bellhop, company, 'Anna', 700)
  await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  await anna.is('ready')
  await anna.press(/Open the phone/)
  await anna.press('Simulate a call')
  await anna.is('ringing')
  await anna.says('+45 20 30 40 50')
  await anna.press('Answer')
  await anna.is('talking')
  await callIs(company, 'bridged')
  await anna.press('Hang up')
  await callIs(company, 'ended')
  await anna.is('ready')
  await anna.press('Simulate a text')
  await eventually(async () => {
    const { body } = await company.api.get('/inbox/+4520304050/activity')
    expect(JSON.stringify(body)).toContain('Is my bike ready?')
  })
})

test('without a simulator nothing is offered to try', async () => {
  const real = await harness({
    SIP_SIMULATOR: 'off',
    SMS_PROVIDER: 'telnyx',
    TELNYX_API_KEY: 'key',
    TELNYX_PUBLIC_KEY: `${'A'.repeat(43)}=`,
  })
  const { api } = await real.newCompany()
  expect((await api.get('/simulator')).status).toBe(404)
  expect((await api.post('/simulated_calls')).status).toBe(404)
  expect((await api.post('/simulated_texts')).status).toBe(404)
})

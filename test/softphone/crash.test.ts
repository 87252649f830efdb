import { afterAll, expect, test } from 'vitest'

import { newBrowserEmployee } from '../harness/browser/softphone.ts'
import { callIs, eventually } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { freePort } from '../harness/processes/ports.ts'
import { newRestartableService } from '../harness/processes/restartable-service.ts'

const PATIENCE = { timeout: 60_000 }
const BELLHOP_SECRET = 'a secret of all processes of the test'
const phoneSystem = await openPhoneSystem({ BELLHOP_SECRET })
const { bellhop, dial } = phoneSystem

const sipPort = await freePort()
phoneSystem.connectCarrier('service', sipPort)
const startAgain = await newRestartableService(bellhop, {
  BELLHOP_SECRET,
  SIP_TRUNKS: JSON.stringify([phoneSystem.trunk]),
  SIP_SIMULATOR: 'off',
  SIP_PORT: String(sipPort),
})
let service = await startAgain()
const company = await bellhop.newCompany()
/** Anna is at her browser, which this service serves. */
const anna = await newBrowserEmployee({ ...bellhop, url: service.url }, company, 'Anna', 700, {
  whenOver: afterAll,
})
const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
await anna.is('ready')

/** Anna talks to a customer. */
async function conversation() {
  const customer = await dial(number, { over: 'service' })
  await customer.connected()
  await anna.is('ringing')
  await anna.press('Answer')
  await Promise.all([customer.hears(700), anna.hears(440)])
  return customer
}

/** What the page shows of the employee is what the server says, and there is no call. */
async function agree(status: string) {
  await anna.page
    .getByRole('button', { name: `Your status: ${status}` })
    .first()
    .waitFor(PATIENCE)
  await callIs(company, 'ended')
  await eventually(async () => {
    expect((await company.api.get(`/employees/${anna.id}`)).body.status).toBe('available')
    expect((await company.api.get('/calls?state=initiated')).body.calls).toEqual([])
  })
}

async function crash() {
  service.signal('SIGKILL')
  await service.ended
}

test('after a crash of the service the call ends at the phone too, which reconnects, and the next call rings', async () => {
  await conversation()
  await crash()
  service = await startAgain()
  await anna.is('ended')
  await anna.says('The call was lost')
  await anna.says(/Bellhop was interrupted, and the call with it/)
  await callIs(company, 'ended')
  await eventually(async () => {
    expect((await company.api.get(`/employees/${anna.id}`)).body.status).toBe('available')
  })
  const next = await conversation()
  next.hangUp()
  await anna.is('ready')
})

test('a call that rings, and one that is being dialled, end with the service, and neither is left anywhere', async () => {
  const customer = await dial(number, { over: 'service' })
  await customer.connected()
  await anna.is('ringing')
  await crash()
  await anna.is('ended')
  service = await startAgain()
  await agree('Ready')
  await anna.press(/^Close$/)
  await anna.is('ready')

  await anna.press(/Open the phone/)
  await anna.phone.getByLabel('Number to call').fill('+4520998877')
  await anna.page.keyboard.press('Enter')
  await anna.is('dialling')
  await crash()
  await anna.is('ended')
  service = await startAgain()
  await agree('Ready')
})

test('a page that is loaded again right after a crash has no card of the lost call', async () => {
  await conversation()
  await anna.press('Hold')
  await anna.is('held')
  await crash()
  service = await startAgain()
  await anna.page.reload()
  await agree('Ready')
  expect(await anna.phone.getByRole('button', { name: 'Hang up' }).count()).toBe(0)
  const next = await conversation()
  next.hangUp()
  await anna.is('ready')
})

test('while the service is away the status is offline, and then what the server has stored', async () => {
  // What could be noted about the last call.
  await anna.press('Close without saving')
  const status = (name: string) => anna.page.getByRole('button', { name: `Your status: ${name}` })
  await status('Ready').waitFor()
  await crash()
  await status('Offline').waitFor(PATIENCE)
  await anna.phone.getByRole('button', { name: 'Open the phone: Offline' }).waitFor()
  // By another process.
  const url = `/employees/${anna.id}/do_not_disturb`
  await company.api.put(url, { enabled: true, expires_at: null })
  service = await startAgain()
  await status('Do not disturb').waitFor(PATIENCE)
  await company.api.put(url, { enabled: false })
  await status('Ready').waitFor(PATIENCE)
})

test('a phone whose service does not return says that there is no audio, and ends the call', async () => {
  await conversation()
  await crash()
  await anna.says(/No audio arrives from Bellhop/)
  await anna.page.waitForSelector('[data-phone="ended"]', { timeout: 60_000, state: 'attached' })
  await anna.says(/No audio arrived from Bellhop/)
})

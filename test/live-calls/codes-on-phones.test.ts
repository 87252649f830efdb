import { expect, onTestFinished, test } from 'vitest'

import { formBrowser } from '../harness/browser/form-browser.ts'
import { newSignInEmployee, PASSWORD } from '../harness/browser/sign-in.ts'
import { callIs, eventually } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { startBaresip } from '../harness/sip/baresip.ts'
import { startLinphone } from '../harness/sip/linphone.ts'
import { hearsMusic } from '../harness/sound/hears-all.ts'

const { bellhop, dial, hire, edge } = await openPhoneSystem()

const CUSTOMER_HZ = 440
const BARESIP_HZ = 600
const LINPHONE_HZ = 700
const ANNA_HZ = 800

const uriOf = (user: string) => `sip:${user}@127.0.0.1:${edge.port}`

/** A number of the company rings Anna, who has an ordinary desk phone. */
async function office() {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', ANNA_HZ)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const { extensions } = (await company.api.get('/extensions')).body
  const { extension } = extensions.find((one: { employee_id: string }) => one.employee_id === anna.id)
  return { company, anna, number, extension: extension as string }
}

async function ringsAnna({ anna, number }: Awaited<ReturnType<typeof office>>) {
  const customer = await dial(number)
  await customer.connected()
  await anna.rings()
  return customer
}

test('baresip picks up a call, parks it with its transfer key, and takes it by its slot', async () => {
  const scene = await office()
  const { company, extension } = scene
  const bob = await hire(company, 'Bob', ANNA_HZ)
  const { username: user, password } = bob.device
  bob.leave()
  const account = { user, password, port: edge.port, protocol: 'udp', hz: BARESIP_HZ } as const
  const baresip = await startBaresip({ ...account, answers: 'auto' })
  onTestFinished(() => baresip.stop())
  await eventually(async () => {
    const lines = await bellhop.db.sql`select from device_registrations where username = ${user}`
    expect(lines).toHaveLength(1)
  })
  const customer = await ringsAnna(scene)
  baresip.command('dial', uriOf(`**${extension}`))
  await baresip.event('CALL_ESTABLISHED')
  await Promise.all([customer.hears(BARESIP_HZ), baresip.hears(CUSTOMER_HZ)])
  await callIs(company, 'bridged')

  baresip.command('transfer', uriOf('*71'))
  await baresip.event('CALL_CLOSED')
  await hearsMusic(customer, BARESIP_HZ)
  await callIs(company, 'answered')

  baresip.command('dial', uriOf('*71'))
  await baresip.event('CALL_ESTABLISHED')
  await Promise.all([customer.hears(BARESIP_HZ), baresip.hears(CUSTOMER_HZ)])
  const call = await callIs(company, 'bridged')
  expect(call.employees.map(({ name }: { name: string }) => name)).toEqual(['Bob'])
})

test('Linphone picks up a call, and parks and takes it with codes', async () => {
  const scene = await office()
  const { company } = scene
  const { email } = await newSignInEmployee(bellhop, company)
  const browser = formBrowser(bellhop.url)
  await browser.post('/sign-in', { email, password: PASSWORD })
  const path = '/account/phones'
  const { html } = await browser.submit(path, path, { name: 'Linphone' })
  const settingsUrl = /id="phone-link-linphone"[^>]*>([^<]+)</.exec(html)![1]!
  const linphone = await startLinphone({ settingsUrl, hz: LINPHONE_HZ })
  onTestFinished(() => linphone.stop())
  await eventually(async () => expect((await browser.get(path)).text).toMatch(/Linphone \w+ now/))
  const connected = (times: number) =>
    eventually(() => expect(linphone.output().match(/connected\./g)).toHaveLength(times))

  const customer = await ringsAnna(scene)
  linphone.command('call *8')
  await connected(1)
  linphone.speak()
  await customer.hears(LINPHONE_HZ)
  await callIs(company, 'bridged')

  linphone.command('transfer *72')
  await hearsMusic(customer, LINPHONE_HZ)
  await callIs(company, 'answered')
  await eventually(async () =>
    expect((await company.api.get('/calls/parked')).body.parked_calls).toMatchObject([{ slot: 72 }]),
  )

  linphone.command('call *72')
  await connected(2)
  linphone.speak()
  await customer.hears(LINPHONE_HZ)
  await callIs(company, 'bridged')
})

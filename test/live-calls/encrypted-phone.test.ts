import { expect, onTestFinished, test } from 'vitest'

import { setEncryption } from '../../server/modules/devices/index.ts'
import { callIs, eventually } from '../harness/calls/call-events.ts'
import { newDevice } from '../harness/calls/edge.ts'
import { type Employee, numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import type { TestCompany } from '../harness/index.ts'
import { startBaresip } from '../harness/sip/baresip.ts'
import { certificateFiles } from '../harness/sip/certificate.ts'

const { environment, tls } = await certificateFiles()
const phoneSystem = await openPhoneSystem(environment)
const { bellhop, dial, hire, edge } = phoneSystem
const hireSecurely = phoneSystem.hireSecurely(tls)

const offerOf = (phone: Awaited<ReturnType<Employee['rings']>>) => phone.call.body!.bytes.toString()
const plain = expect.stringMatching(/^m=audio \d+ RTP\/AVP /m)
const encrypted = expect.stringMatching(/^m=audio \d+ RTP\/SAVP [^]*^a=crypto:/m)

const deviceRow = async (username: string) => {
  const [row] = await bellhop.db.sql`
    select encryption, encryption_refused_at from devices where username = ${username}`
  return row!
}

const require = (deviceId: string) =>
  bellhop.db.tx((tx) => setEncryption(tx, deviceId, { encryption: 'required' }))

async function numberOf(company: TestCompany, ...employeeIds: string[]) {
  return (await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: employeeIds })).number
}

test('the media of a phone that registered by TLS is encrypted, also after a hold', async () => {
  const company = await bellhop.newCompany()
  const anna = await hireSecurely(company, 'Anna', 700)
  const customer = await dial(await numberOf(company, anna.id))
  await customer.connected()
  const phone = await anna.rings()
  expect(offerOf(phone)).toEqual(encrypted)
  await phone.answer()
  await Promise.all([customer.hears(700), phone.hears(440)])
  expect((await phone.hold()).ok).toBe(true)
  expect((await phone.resume()).ok).toBe(true)
  await Promise.all([customer.hears(700), phone.hears(440)])
  customer.hangUp()
  await phone.ended()
})

test('a phone that refuses encryption is called again without, and at once without for a day', async () => {
  const company = await bellhop.newCompany()
  const anna = await hireSecurely(company, 'Anna', 700)
  const number = await numberOf(company, anna.id)
  const first = await dial(number)
  await first.connected()
  ;(await anna.rings()).call.reject(488)
  const again = await anna.rings()
  expect(offerOf(again)).toEqual(plain)
  await again.answer()
  await Promise.all([first.hears(700), again.hears(440)])
  first.hangUp()
  await again.ended()
  await eventually(async () =>
    expect(await deviceRow(anna.device.username)).toMatchObject({ encryption_refused_at: expect.any(Date) }),
  )
  await callIs(company, 'ended')

  const second = await dial(number)
  await second.connected()
  const phone = await anna.rings()
  expect(offerOf(phone)).toEqual(plain)
  await phone.answer()
  await second.hears(700)
  second.hangUp()
  await phone.ended()

  await bellhop.db.sql`
    update devices set encryption_refused_at = now() - interval '25 hours'
    where username = ${anna.device.username}`
  const third = await dial(number)
  await third.connected()
  expect(offerOf(await anna.rings())).toEqual(encrypted)
})

test('keys are not sent over UDP; a phone that must encrypt is never called without, even then', async () => {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const bob = await hire(company, 'Bob', 800)
  const number = await numberOf(company, anna.id, bob.id)
  await require(anna.device.id)
  const customer = await dial(number)
  await customer.connected()
  const [annas, bobs] = [await anna.rings(), await bob.rings()]
  expect(offerOf(annas)).toEqual(encrypted)
  expect(offerOf(bobs)).toEqual(plain)
  annas.call.reject(488)
  await bobs.answer()
  await customer.hears(800)
  expect(anna.unanswered()).toBe(0)
  await eventually(async () =>
    expect(await deviceRow(anna.device.username)).toMatchObject({ encryption_refused_at: expect.any(Date) }),
  )
})

test('a phone that must encrypt cannot call without', async () => {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const number = await numberOf(company, anna.id)
  await require(anna.device.id)
  const call = await anna.dial(number)
  expect(await call.ended()).toMatchObject({ why: 'refused', status: 488 })
})

/** baresip as the phone of an employee. */
async function deskPhone(protocol: 'tls' | 'udp', encryption?: 'srtp' | 'srtp-mand') {
  const company = await bellhop.newCompany()
  const { username: user, password } = await newDevice(bellhop, company)
  const port = protocol === 'tls' ? edge.tlsPort! : edge.port
  const account = { user, password, port, protocol, answers: 'auto', hz: 700 } as const
  const baresip = await startBaresip({ ...account, ...(encryption && { encryption }) })
  onTestFinished(() => baresip.stop())
  const { employee } = (await company.api.get('/session')).body
  await eventually(async () =>
    expect((await company.api.get(`/employees/${employee.id}`)).body.status).toBe('available'),
  )
  return { baresip, user, number: await numberOf(company, employee.id), company }
}

test.each([
  ['that accepts encrypted media only', 'srtp-mand', null],
  ['that encrypts if it is asked to', 'srtp', null],
  ['without SRTP', undefined, expect.any(Date)],
] as const)('a desk phone (baresip) %s hears and is heard over TLS', async (_, encryption, refused) => {
  const { baresip, user, number, company } = await deskPhone('tls', encryption)
  const customer = await dial(number)
  await customer.connected()
  await Promise.all([customer.hears(700), baresip.hears(440)])
  await callIs(company, 'bridged')
  await eventually(async () =>
    expect(await deviceRow(user)).toEqual({ encryption: 'auto', encryption_refused_at: refused }),
  )
  customer.hangUp()
  await callIs(company, 'ended')
})

test.each(['tls', 'udp'] as const)(
  'a desk phone (baresip) that offers keys on a plain line calls over %s',
  async (over) => {
    const { baresip, company } = await deskPhone(over, 'srtp')
    const bob = await hire(company, 'Bob', 800)
    const number = await numberOf(company, bob.id)
    baresip.command('dial', `sip:${number}@127.0.0.1:${over === 'tls' ? edge.tlsPort : edge.port}`)
    const phone = await bob.rings()
    await phone.answer()
    await Promise.all([phone.hears(700), baresip.hears(800)])
    baresip.command('hangup')
    await phone.ended()
  },
)

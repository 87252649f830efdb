import { afterAll, expect, onTestFinished, test } from 'vitest'

import { setEmergencyCallerId } from '../../server/modules/numbers/index.ts'
import { decodeId } from '../../server/platform/ids.ts'
import { sdpBody } from '../../server/sip/index.ts'
import { callIs, lastCall } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { follow, loopbackTrunk, startAgent } from '../harness/sip/agent.ts'
import { startPhone } from '../harness/sound/rtp-phone.ts'

const second = await startAgent({ trunks: [loopbackTrunk('bellhop', 5060)] })
afterAll(() => second.agent.close())
const { bellhop, hire, callee } = await openPhoneSystem(
  { OUTBOUND_PER_MINUTE: '0', OUTBOUND_COUNTRIES: 'SE' },
  {},
  {
    otherTrunks: [
      {
        name: 'second',
        hosts: [`127.0.0.1:${second.ports.udp}`],
        inbound: { username: 'second', password: 'secret-of-the-second' },
        prefixes: ['+1'],
        encryption: 'sdes',
      },
    ],
  },
)

async function officeOfOne() {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const number = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  return { company, anna, number }
}

const warned = (words: string, ...more: string[]) =>
  bellhop.logged.some((line) => [words, '"level":"warn"', ...more].every((part) => line.includes(part)))

test('a call for help that one carrier does not take goes over the next one, whatever that is otherwise for', async () => {
  const { company, anna } = await officeOfOne()
  const phone = await anna.dial('112')
  ;(await callee()).call.reject(503)
  const call = await second.calls.take()
  expect(call.uri).toMatchObject({ user: '112' })
  const other = await startPhone({ encrypted: true })
  onTestFinished(() => other.close())
  other.setRemote(call.body!.bytes.toString())
  call.accept(sdpBody(other.sdp()))
  other.say(500)
  await phone.answered()
  await Promise.all([phone.hears(500), other.hears(700)])
  const { id } = await callIs(company, 'bridged')
  expect(await lastCall(company)).toMatchObject({ to: '112', direction: 'outbound' })
  expect(warned('the next one is tried', '503')).toBe(true)
  expect(warned('an emergency or short number was dialled', decodeId('cal', id)!, '"isEmergency":true')).toBe(
    true,
  )
  phone.hangUp()
  expect((await follow(call).next('ended')).ending).toEqual({ why: 'hungUp', by: 'peer' })
})

test('if no carrier takes it, the phone gets the response of the last one', async () => {
  const { company, anna } = await officeOfOne()
  const phone = await anna.dial('1813')
  ;(await callee()).call.reject(500)
  ;(await second.calls.take()).reject(404)
  expect(await phone.ended()).toMatchObject({ why: 'refused', status: 404 })
  expect(await callIs(company, 'ended')).toMatchObject({ to: '1813', answered_at: null })
})

test('somebody who hangs up is not called for over the next carrier', async () => {
  const { company, anna } = await officeOfOne()
  const phone = await anna.dial('112')
  const first = await callee()
  phone.hangUp()
  expect(await first.ended()).toEqual({ why: 'cancelled' })
  await callIs(company, 'ended')
  expect(second.calls.waiting).toEqual([])
})

test('emergency services see the number with a registered address, even if the phone withholds its own', async () => {
  const { anna, number } = await officeOfOne()
  const shown = async (dialled: string, headers: Record<string, string> = {}) => {
    const phone = await anna.dial(dialled, headers)
    const { call, ended } = await callee()
    phone.hangUp()
    await ended()
    return (call.from.uri as { user: string }).user
  }
  expect(await shown('112', { privacy: 'id' })).toBe(number.number)
  const numberId = decodeId('num', number.id)!
  await bellhop.db.tx((tx) => setEmergencyCallerId(tx, numberId, { shown: '+4570998877' }))
  expect(await shown('112')).toBe('+4570998877')
  expect(await shown('1813')).toBe(number.number)
  await bellhop.db.tx((tx) => setEmergencyCallerId(tx, numberId, { shown: null }))
  expect(await shown('112')).toBe(number.number)
})

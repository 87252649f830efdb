import { expect, test } from 'vitest'

import { sdpBody } from '../../server/sip/index.ts'
import { callIs } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { isAtRtpengine, settingsOf, startRtpengine } from '../harness/sound/rtpengine.ts'

const rtpengines = [await startRtpengine(), await startRtpengine()]
const { bellhop, dial, hire } = await openPhoneSystem(settingsOf(rtpengines))

test('a call through rtpengine has a menu and a conversation, and survives the end of its instance', async () => {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const menu_options = [{ digit: '1', action_type: 'TransferConfig', employee_ids: [anna.id] }]
  const { number } = await numberWith(bellhop, company, {
    type: 'PhoneMenuConfig',
    welcome: 'Choose.',
    menu_options,
  })
  await bellhop.drainJobs()
  const customer = await dial(number)
  await customer.connected()
  await customer.until('the menu', () => customer.sound().some((sample) => Math.abs(sample) > 2_000))
  customer.press('1')
  const phone = await anna.rings()
  await phone.answer()
  await Promise.all([customer.hears(700), phone.hears(440)])

  const offer = phone.call.body!.bytes.toString()
  const [used, other] = rtpengines.toSorted(
    (a, b) => Number(isAtRtpengine(b, offer)) - Number(isAtRtpengine(a, offer)),
  )
  expect(isAtRtpengine(used!, offer)).toBe(true)
  await used!.kill()
  await Promise.all([phone.isAsked(), movesOn(customer)])
  await Promise.all([customer.hears(700), phone.hears(440)])
  customer.hangUp()
  await phone.ended()
  await callIs(company, 'ended')

  const next = await dial(number)
  await next.connected()
  await next.until('the menu', () => next.sound().some((sample) => Math.abs(sample) > 2_000))
  next.press('1')
  const again = await anna.rings()
  expect(isAtRtpengine(other!, again.call.body!.bytes.toString())).toBe(true)
  await again.answer()
  await Promise.all([next.hears(700), again.hears(440)])
})

type Customer = Awaited<ReturnType<typeof dial>>

/** Accepts the re-INVITE, and sends to the new address. */
async function movesOn(customer: Customer): Promise<void> {
  const offer = await customer.isAsked()
  customer.setRemote(offer.body!.bytes.toString())
  offer.accept(sdpBody(customer.sdp()))
}

import { expect, test } from 'vitest'

import { sdpBody } from '../../server/sip/index.ts'
import { callIs } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { settingsOf, startRtpengine } from '../harness/sound/rtpengine.ts'

const only = await startRtpengine()
const { bellhop, dial, hire } = await openPhoneSystem(settingsOf([only]))

test('without any instance, calls end for both sides, and new ones are refused', async () => {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const customer = await dial(number)
  await customer.connected()
  const phone = await anna.rings()
  await phone.answer()
  await Promise.all([customer.hears(700), phone.hears(440)])
  const ends = [customer, phone].map(
    ({ call, sdp }) =>
      new Promise<void>((resolve) => {
        call.listen((event) => {
          if (event.type === 'offer') event.offer.accept(sdpBody(sdp()))
          if (event.type === 'ended') resolve()
        })
      }),
  )
  await only.kill()
  await Promise.all(ends)
  expect(await callIs(company, 'ended')).toMatchObject({ answered_at: expect.any(String) })
  const refused = await dial(number)
  await refused.ended()
})

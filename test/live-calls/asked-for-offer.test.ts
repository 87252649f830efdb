import { onTestFinished, test } from 'vitest'

import { callIs } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { sipp } from '../harness/sip/sipp.ts'
import { startPhone } from '../harness/sound/rtp-phone.ts'

const { bellhop, edge, hire } = await openPhoneSystem()

async function newPhone() {
  const phone = await startPhone()
  onTestFinished(() => phone.close())
  return { ...phone, port: /^m=audio (\d+)/m.exec(phone.sdp())![1]! }
}

/** RFC 3261 §14.2: a re-INVITE without an offer asks us for one, and its answer comes with the ACK. */
test('a carrier that asks for an offer within the call gets one, and the call goes where its answer says', async () => {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const [first, second] = [await newPhone(), await newPhone()]
  const carrier = await sipp('caller-asks-for-offer', {
    to: edge.port,
    args: ['-s', number, '-key', 'first_port', first.port, '-key', 'second_port', second.port],
  })
  const phone = await anna.rings()
  await phone.answer()
  await second.hears(700)
  await callIs(company, 'bridged')
  phone.hangUp()
  await carrier.done
})

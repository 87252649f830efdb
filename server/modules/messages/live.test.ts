import { beforeAll, expect, test, vi } from 'vitest'

import { DEADLINE, messagesOf, openCable } from '../../../test/harness/cable-socket.ts'
import { type Harness, harness } from '../../../test/harness/index.ts'
import { newNumber } from '../../../test/harness/telephony.ts'
import { addressOf, callBack, incoming, sendText } from '../../../test/harness/texting.ts'

let bellhop: Harness
beforeAll(async () => {
  bellhop = await harness()
})

test('whoever listens hears of each text and each change of it, and nothing of what it says', async () => {
  const company = await bellhop.newCompany({ messaging: true })
  const number = await newNumber(company)
  const cable = await openCable(bellhop.url, company)
  const { body } = await sendText(company, number, { to: '+4520112233', text: 'The code is 4711' })
  const update = { type: 'sms_update', id: body.id, phone_number: '+4520112233' }
  await vi.waitFor(() => expect(messagesOf(cable)).toEqual([update, update]), DEADLINE)
  bellhop.clock.advance(1_000)
  await vi.waitFor(() => expect(messagesOf(cable)).toEqual([update, update, update]), DEADLINE)

  const address = await addressOf(company, number)
  await callBack(bellhop, 'messages', incoming(address, { from: '+4520998877', text: 'The code is 4711' }))
  const received = { type: 'sms_update', id: expect.stringMatching(/^msg_/), phone_number: '+4520998877' }
  await vi.waitFor(() => expect(messagesOf(cable)).toContainEqual(received), DEADLINE)
  expect(JSON.stringify(cable.frames)).not.toContain('4711')
})

import { expect, test } from 'vitest'

import type { MediaPort } from '../../server/media/port.ts'
import { sdpBody } from '../../server/sip/index.ts'
import { createCallControl } from '../../server/telephony/call/control.ts'
import { callIs } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'

const setRemote = () => Promise.reject(new Error('the media plane failed in a test'))

/** A media plane that throws when an SDP offer arrives within a call. */
function refusingOffers(media: MediaPort): MediaPort {
  return new Proxy(media, {
    get: (target, name) => (name === 'setRemote' ? setRemote : Reflect.get(target, name, target)),
  })
}

const { bellhop, dial } = await openPhoneSystem(
  {},
  { createControl: (edge) => createCallControl({ ...edge, media: refusingOffers(edge.media) }) },
)

test('a leg whose re-INVITE fails is hung up, and the log has the reason', async () => {
  const company = await bellhop.newCompany()
  const { number } = await numberWith(bellhop, company, { type: 'VoicemailConfig', greeting: 'Speak.' })
  const caller = await dial(number)
  await caller.connected()
  const reinvited = caller.call.reinvite(sdpBody(caller.sdp()))
  await caller.ended()
  await reinvited
  await callIs(company, 'ended')
  const line = bellhop.logged.find((one) => one.includes('a leg was hung up'))
  expect(line).toContain('the media plane failed in a test')
  expect(line).toContain(caller.call.id)
})

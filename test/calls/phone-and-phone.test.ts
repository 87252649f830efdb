import { expect, test } from 'vitest'

import { ANNA_HZ, BOB_HZ, openParties } from '../harness/calls/call-fixture.ts'

test('two desk phones hear each other, and DTMF digits reach either one, also after hold', async () => {
  const { pbx, deskPhone } = await openParties()
  const [anna, bob] = [await deskPhone('anna'), await deskPhone('bob')]
  anna.dial('bob')
  await anna.event('CALL_ESTABLISHED')
  await Promise.all([anna.hears(BOB_HZ), bob.hears(ANNA_HZ)])
  anna.command('sndcode', '7')
  expect(await bob.keyPressed()).toBe('7')

  anna.command('hold')
  await pbx.changed('sendonly')
  anna.command('resume')
  await pbx.changed('sendrecv')
  bob.command('sndcode', '8')
  expect(await anna.keyPressed()).toBe('8')
  anna.command('sndcode', '9')
  expect(await bob.keyPressed()).toBe('9')

  bob.command('hangup')
  await anna.event('CALL_CLOSED')
})

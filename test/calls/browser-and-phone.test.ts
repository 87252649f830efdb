import { expect, test } from 'vitest'

import { ANNA_HZ, BOB_HZ, openParties } from '../harness/calls/call-fixture.ts'

test('a browser registers at /sip and calls a phone; they hear each other, also after a re-INVITE', async () => {
  const { pbx, browser, deskPhone } = await openParties()
  const [anna, bob] = [await browser('anna'), await deskPhone('bob')]
  const { binding } = await pbx.registrations.take(({ binding }) => binding.username === 'anna')
  expect(binding.protocol).toBe('ws')

  await anna.dial('bob')
  await Promise.all([anna.hears(BOB_HZ), bob.hears(ANNA_HZ)])
  await anna.renegotiate()
  await Promise.all([anna.hears(BOB_HZ), bob.hears(ANNA_HZ)])

  await anna.hangUp()
  await bob.event('CALL_CLOSED')
})

test('a phone calls a browser, they hear each other, and the browser is notified that the phone hung up', async () => {
  const { browser, deskPhone } = await openParties()
  const [anna, bob] = [await browser('anna'), await deskPhone('bob')]
  bob.dial('anna')
  await anna.answer()
  await Promise.all([anna.hears(BOB_HZ), bob.hears(ANNA_HZ)])
  bob.command('hangup')
  await anna.isHungUp()
})

test('a browser puts a phone on hold and resumes, after which they hear each other', async () => {
  const { browser, deskPhone } = await openParties()
  const [anna, bob] = [await browser('anna'), await deskPhone('bob')]
  await anna.dial('bob')
  await Promise.all([anna.hears(BOB_HZ), bob.hears(ANNA_HZ)])
  await anna.hold()
  await anna.hearsNothing()
  await anna.resume()
  await anna.hears(BOB_HZ)
  await anna.press('5', 'RFC2833')
  expect(await bob.keyPressed()).toBe('5')
})

test('a phone puts a browser on hold and resumes, after which they hear each other', async () => {
  const { browser, deskPhone } = await openParties()
  const [anna, bob] = [await browser('anna'), await deskPhone('bob')]
  bob.dial('anna')
  await anna.answer()
  await Promise.all([anna.hears(BOB_HZ), bob.hears(ANNA_HZ)])
  bob.command('hold')
  await anna.isHeld()
  await anna.hearsNothing()
  bob.command('resume')
  await anna.isTakenUpAgain()
  await anna.hears(BOB_HZ)
  await anna.press('5', 'RFC2833')
  expect(await bob.keyPressed()).toBe('5')
})

test.each(['INFO', 'RFC2833'] as const)(
  'DTMF digits that a browser sends by %s reach the edge and the phone',
  async (by) => {
    const { pbx, browser, deskPhone } = await openParties()
    const [anna, bob] = [await browser('anna'), await deskPhone('bob')]
    await anna.dial('bob')
    await anna.hears(BOB_HZ)
    await anna.press('4#', by)
    expect([await bob.keyPressed(), await bob.keyPressed()]).toEqual(['4', '#'])
    const keys = pbx.events.filter((event) => event.on === 'digit').map(({ digit }) => digit)
    expect(keys).toEqual(['4', '#'])
  },
)

import { expect, test } from 'vitest'

import { ANNA_HZ, BOB_HZ, openParties } from '../harness/calls/call-fixture.ts'

test('a browser and a phone hear each other before and after each puts the other on hold', async () => {
  const { browser, tonePhone } = await openParties()
  const [anna, bob] = [await browser('anna'), await tonePhone('bob')]
  const [, call] = await Promise.all([anna.dial('bob'), bob.answer()])
  const hearEachOther = () => Promise.all([anna.hears(BOB_HZ), bob.hears(ANNA_HZ)])
  await hearEachOther()

  await Promise.all([anna.hold(), expect(call.isAsked()).resolves.toBe('sendonly')])
  await Promise.all([anna.hearsNothing(), bob.hearsNothing()])
  await Promise.all([anna.resume(), expect(call.isAsked()).resolves.toBe('sendrecv')])
  await hearEachOther()

  expect(await call.ask('sendonly')).toBe(true)
  await anna.isHeld()
  // The side that holds may still send audio, such as music.
  await anna.hears(BOB_HZ)
  expect(await call.ask('sendrecv')).toBe(true)
  await anna.isTakenUpAgain()
  await hearEachOther()
})

test('a desk phone that put another on hold is heard again once it resumes', async () => {
  const { deskPhone, tonePhone } = await openParties()
  const [anna, bob] = [await deskPhone('anna'), await tonePhone('bob')]
  anna.dial('bob')
  const call = await bob.answer()
  await Promise.all([anna.hears(BOB_HZ), bob.hears(ANNA_HZ)])
  anna.command('hold')
  expect(await call.isAsked()).toBe('sendonly')
  anna.command('resume')
  expect(await call.isAsked()).toBe('sendrecv')
  await bob.hears(ANNA_HZ)
})

// What a desk phone hears is measured by its echo: the other end hears its own tone.

test('a desk phone hears a browser before and after each puts the other on hold, and after a re-INVITE', async () => {
  const { browser, echoPhone } = await openParties()
  const [anna, bob] = [await browser('anna'), await echoPhone('bob')]
  await anna.dial('bob')
  await anna.hears(ANNA_HZ)
  await anna.hold()
  await anna.hearsNothing()
  await anna.resume()
  bob.echoAgain()
  await anna.hears(ANNA_HZ)
  bob.command('hold')
  await anna.isHeld()
  await anna.hearsNothing()
  bob.command('resume')
  await anna.isTakenUpAgain()
  bob.echoAgain()
  await anna.hears(ANNA_HZ)
  await anna.renegotiate()
  await anna.hears(ANNA_HZ)
})

test('a desk phone hears another phone before and after each puts the other on hold', async () => {
  const { echoPhone, tonePhone } = await openParties()
  const [anna, bob] = [await echoPhone('anna'), await tonePhone('bob')]
  anna.dial('bob')
  const call = await bob.answer()
  await bob.hears(BOB_HZ)
  expect(await call.ask('sendonly')).toBe(true)
  expect(await call.ask('sendrecv')).toBe(true)
  anna.echoAgain()
  await bob.hears(BOB_HZ)
  anna.command('hold')
  expect(await call.isAsked()).toBe('sendonly')
  anna.command('resume')
  expect(await call.isAsked()).toBe('sendrecv')
  anna.echoAgain()
  await bob.hears(BOB_HZ)
})

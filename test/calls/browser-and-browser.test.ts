import { test } from 'vitest'

import { ANNA_HZ, BOB_HZ, openParties } from '../harness/calls/call-fixture.ts'

test('two browsers hear each other, before and after each puts the other on hold', async () => {
  const { browser } = await openParties()
  const [anna, bob] = [await browser('anna'), await browser('bob')]
  await Promise.all([anna.dial('bob'), bob.answer()])
  await Promise.all([anna.hears(BOB_HZ), bob.hears(ANNA_HZ)])
  for (const [holder, held] of [
    [anna, bob],
    [bob, anna],
  ] as const) {
    await holder.hold()
    await held.isHeld()
    await Promise.all([anna.hearsNothing(), bob.hearsNothing()])
    await holder.resume()
    await held.isTakenUpAgain()
    await Promise.all([anna.hears(BOB_HZ), bob.hears(ANNA_HZ)])
  }
  await bob.hangUp()
  await anna.isHungUp()
})

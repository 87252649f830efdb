import { expect, test } from 'vitest'

import { createRinging } from '../../web/softphone/phone/audio/ringing.ts'
import type { PhoneCall } from '../../web/softphone/phone/state.ts'

const CALL: PhoneCall = { id: 'cal_1', direction: 'incoming', other: '+4520304050', number: null }

function openRinging() {
  const said: string[] = []
  const ringing = createRinging({
    ring: () => void said.push('ring'),
    quiet: () => void said.push('quiet'),
  })
  const listen = (name: string) =>
    ringing.onRing(({ other }) => {
      said.push(`${name} ${other}`)
      return () => void said.push(`${name} is over`)
    })
  return { ringing, listen, said: () => said.splice(0) }
}

test('a call is announced until it stops ringing', () => {
  const { ringing, listen, said } = openRinging()
  listen('tab')
  ringing.start(CALL)
  expect(said()).toEqual(['ring', 'tab +4520304050'])
  ringing.stop()
  expect(said()).toEqual(['quiet', 'tab is over'])
})

test('a part of the page that is loaded while a call rings announces it too', () => {
  const { ringing, listen, said } = openRinging()
  ringing.start(CALL)
  said()
  listen('tab')
  expect(said()).toEqual(['tab +4520304050'])
  ringing.stop()
  expect(said()).toEqual(['quiet', 'tab is over'])
  listen('late')
  expect(said()).toEqual([])
})

test('whoever no longer listens announces nothing more, also of the call that rings', () => {
  const { ringing, listen, said } = openRinging()
  const leave = listen('tab')
  ringing.start(CALL)
  said()
  leave()
  expect(said()).toEqual(['tab is over'])
  ringing.stop()
  ringing.start(CALL)
  expect(said()).toEqual(['quiet', 'ring'])
})

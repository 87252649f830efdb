import { expect, test } from 'vitest'

import { callIs, eventually } from '../harness/calls/call-events.ts'
import { startConversation } from '../harness/calls/conversation.ts'
import { openPhoneSystem } from '../harness/calls/phone-system.ts'

const phoneSystem = await openPhoneSystem()

async function conversation() {
  const scene = await startConversation(phoneSystem)
  return { ...scene, rejoin: { 'x-bellhop-call': scene.call.id as string } }
}

test('a phone that rejoins replaces the one that was connected, and the customer is not hung up', async () => {
  const { company, anna, customer, annasPhone, rejoin } = await conversation()
  const back = await anna.dial('rejoin', rejoin)
  await back.answered()
  expect(await annasPhone.ended()).toEqual({ why: 'hungUp', by: 'peer' })
  await Promise.all([customer.hears(700), back.hears(440)])
  expect((await anna.api.get('/calls/active')).body.call).toMatchObject({ state: 'bridged' })
  back.hangUp()
  await customer.ended()
  await callIs(company, 'ended')
})

test('a controller who rejoins while consulting still consults, and the transfer can be completed', async () => {
  const { anna, bob, customer, call, rejoin } = await conversation()
  const path = `/calls/${call.id}/transfers`
  const start = await anna.api.post(path, { employee_id: bob.id })
  const annasNext = await anna.dial('rejoin', rejoin)
  await annasNext.answered()
  await annasNext.hears(425)
  const bobsPhone = await bob.rings()
  await bobsPhone.answer()
  await Promise.all([annasNext.hears(800), bobsPhone.hears(700)])
  await eventually(async () =>
    expect((await bob.api.get('/calls/active')).body.transfer.state).toBe('consulting'),
  )
  const bobsNext = await bob.dial('rejoin', rejoin)
  await bobsNext.answered()
  await bobsPhone.ended()
  await Promise.all([annasNext.hears(800), bobsNext.hears(700)])
  const done = await anna.api.post(`${path}/${start.body.transfer.id}/completion`)
  expect(done.body.transfer.state).toBe('completed')
  await Promise.all([customer.hears(800), bobsNext.hears(440)])
})

test('nobody can rejoin a call of somebody else, or one that has ended', async () => {
  const { company, anna, bob, customer, rejoin } = await conversation()
  expect(await (await bob.dial('rejoin', rejoin)).ended()).toMatchObject({ why: 'refused', status: 404 })
  expect(await (await anna.dial('rejoin')).ended()).toMatchObject({ why: 'refused', status: 404 })
  customer.hangUp()
  await callIs(company, 'ended')
  expect(await (await anna.dial('rejoin', rejoin)).ended()).toMatchObject({ why: 'refused', status: 404 })
})

import { expect, test } from 'vitest'

import { callIs, eventually } from '../harness/calls/call-events.ts'
import { type Employee, numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import type { TestCompany } from '../harness/index.ts'
import { NEVER_PINGED, anyCableClient } from '../harness/peers/live-clients.ts'
import { channelsOf, findTone, longestSilence, toneShareInParts } from '../harness/sound/audio-analysis.ts'

const { bellhop, dial, callee, hire } = await openPhoneSystem()

/** A customer talks to Anna. */
async function conversation(settings: Record<string, unknown> = { recording_enabled: true }) {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const flow = { type: 'TransferConfig', employee_ids: [anna.id] }
  const { number } = await numberWith(bellhop, company, flow, settings)
  const customer = await dial(number)
  await customer.connected()
  const annasPhone = await anna.rings()
  await annasPhone.answer()
  await Promise.all([customer.hears(700), annasPhone.hears(440)])
  const { id } = await callIs(company, 'bridged')
  // Once more, so that the recording has enough of it.
  await Promise.all([customer.hears(700), annasPhone.hears(440)])
  return { company, anna, customer, annasPhone, path: `/calls/${id}/recording` }
}

const stateOf = async ({ api }: Employee | TestCompany, path: string) => (await api.get(path)).body

/** The channels of the call's recording, once it has ended. */
async function recordingOf(company: TestCompany): Promise<[Int16Array, Int16Array]> {
  const { recording_url } = await callIs(company, 'ended')
  const [left, right] = channelsOf(Buffer.from(await (await fetch(recording_url)).arrayBuffer()))
  return [left!, right!]
}

test('what is said while a recording is paused is not in it, on either side', async () => {
  const { company, anna, customer, annasPhone, path } = await conversation()
  expect(await anna.api.get(path)).toMatchObject({ status: 200, body: { state: 'recording' } })
  // Pausing what is paused changes nothing.
  for (let i = 0; i < 2; i++)
    expect(await anna.api.post(`${path}/pause`)).toMatchObject({ status: 200, body: { state: 'paused' } })
  expect(await stateOf(anna, path)).toEqual({ state: 'paused' })
  customer.say(500)
  annasPhone.say(900)
  // They still hear each other.
  await Promise.all([customer.hears(900), annasPhone.hears(500)])
  await Promise.all([customer.hears(900), annasPhone.hears(500)])
  customer.say(600)
  annasPhone.say(1_100)
  for (let i = 0; i < 2; i++)
    expect(await anna.api.post(`${path}/resume`)).toMatchObject({ status: 200, body: { state: 'recording' } })
  expect(await stateOf(anna, path)).toEqual({ state: 'recording' })
  await Promise.all([customer.hears(1_100), annasPhone.hears(600)])
  await Promise.all([customer.hears(1_100), annasPhone.hears(600)])
  customer.hangUp()

  const [left, right] = await recordingOf(company)
  for (const [channel, before, after] of [
    [left, 440, 600],
    [right, 700, 1_100],
  ] as const) {
    expect(findTone(channel, before)).toBeGreaterThanOrEqual(0)
    expect(findTone(channel, after)).toBeGreaterThan(findTone(channel, before) + 0.8 * 8_000)
  }
  expect(toneShareInParts(left, 500)).toBeLessThan(0.02)
  expect(toneShareInParts(right, 900)).toBeLessThan(0.02)
  // Not even noise.
  for (const channel of [left, right]) expect(longestSilence(channel, 1)).toBeGreaterThan(0.8 * 8_000)
  expect(await stateOf(anna, path)).toEqual({ state: 'off' })
})

test('a recording stays paused through hold and a transfer, until the new controller resumes it', async () => {
  const { company, anna, customer, annasPhone, path } = await conversation()
  const bob = await hire(company, 'Bob', 800)
  await anna.api.post(`${path}/pause`)
  customer.say(500)
  expect((await annasPhone.hold()).ok).toBe(true)
  expect((await annasPhone.resume()).ok).toBe(true)
  await Promise.all([customer.hears(700), annasPhone.hears(500)])

  const transfers = path.replace('recording', 'transfers')
  const { transfer } = (await anna.api.post(transfers, { employee_id: bob.id })).body
  const bobsPhone = await bob.rings()
  expect(await stateOf(bob, path)).toEqual({ state: 'paused' })
  await bobsPhone.answer()
  await annasPhone.hears(800)
  await eventually(async () =>
    expect((await bob.api.post(`${transfers}/${transfer.id}/completion`)).status).toBe(200),
  )
  await Promise.all([customer.hears(800), bobsPhone.hears(500)])
  expect(await anna.api.post(`${path}/resume`)).toMatchObject({
    status: 403,
    body: { error: 'not_call_controller' },
  })
  expect(await stateOf(bob, path)).toEqual({ state: 'paused' })
  customer.say(600)
  expect((await bob.api.post(`${path}/resume`)).body).toEqual({ state: 'recording' })
  await Promise.all([customer.hears(800), bobsPhone.hears(600)])
  await bobsPhone.hears(600)
  customer.hangUp()
  const [left, right] = await recordingOf(company)
  expect(findTone(left, 600)).toBeGreaterThan(0)
  expect(findTone(right, 800)).toBeGreaterThan(0)
  expect(toneShareInParts(left, 500)).toBeLessThan(0.02)
})

test('clients learn that a recording was paused or resumed, and only its controller may do it', async () => {
  const { company, anna, path } = await conversation()
  const bob = await hire(company, 'Bob', 800)
  const client = anyCableClient(bellhop.url, company.key, NEVER_PINGED)
  await eventually(() => expect(client.happened).toEqual(['connected']))
  const news = { type: 'call_update', id: path.split('/')[2] }
  for (const change of ['pause', 'resume']) {
    client.heard.length = 0
    expect(await bob.api.post(`${path}/${change}`)).toMatchObject({
      status: 403,
      body: { error: 'not_call_controller' },
    })
    expect(client.heard).not.toContainEqual(news)
    await anna.api.post(`${path}/${change}`)
    await eventually(() => expect(client.heard).toContainEqual(news))
  }
  const stranger = await bellhop.newCompany()
  expect((await stranger.api.get(path)).status).toBe(404)
  expect((await stranger.api.post(`${path}/pause`)).status).toBe(404)
})

test('a call that is not recorded, or is over, has no recording to pause', async () => {
  const { company, anna, customer, path } = await conversation({ recording_enabled: false })
  expect(await stateOf(anna, path)).toEqual({ state: 'off' })
  expect(await anna.api.post(`${path}/pause`)).toMatchObject({
    status: 409,
    body: { error: 'call_not_recorded' },
  })
  customer.hangUp()
  await callIs(company, 'ended')
  expect(await anna.api.post(`${path}/pause`)).toMatchObject({
    status: 409,
    body: { error: 'call_not_active' },
  })
})

test('an outbound call is paused in the same way', async () => {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  await numberWith(
    bellhop,
    company,
    { type: 'TransferConfig', employee_ids: [anna.id] },
    { recording_enabled: true },
  )
  const phone = await anna.dial('+4520112233')
  const customer = await callee()
  await customer.answer()
  await phone.answered()
  await Promise.all([customer.hears(700), phone.hears(500)])
  const { id } = await callIs(company, 'bridged')
  await Promise.all([customer.hears(700), phone.hears(500)])
  expect((await anna.api.post(`/calls/${id}/recording/pause`)).body).toEqual({ state: 'paused' })
  customer.say(900)
  await phone.hears(900)
  phone.hangUp()
  const [left, right] = await recordingOf(company)
  expect(findTone(left, 500)).toBeGreaterThanOrEqual(0)
  expect(findTone(right, 700)).toBeGreaterThanOrEqual(0)
  expect(toneShareInParts(left, 900)).toBeLessThan(0.02)
})

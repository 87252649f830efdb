import { expect, onTestFinished, test } from 'vitest'

import { startEdge } from '../../server/roles/edge.ts'
import type { Edge } from '../../server/telephony/edge/edge.ts'
import { eventually } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'

const phoneSystem = await openPhoneSystem()
const { bellhop, edge, callee, connectCarrier, dial, hireAt } = phoneSystem

/** RFC 7587 §6.1: no more than a leg with G.711 can carry. */
const TELEPHONE_AUDIO = 'maxplaybackrate=8000'

async function officeAt({ port }: Edge) {
  const company = await bellhop.newCompany()
  const anna = await hireAt(port)(company, 'Anna', 700)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  return { company, anna, number }
}

async function framesOf({ metrics }: Edge, direction: 'decoded' | 'encoded'): Promise<number> {
  const { values } = await metrics.getSingleMetric('bellhop_opus_frames_total')!.get()
  return values.find(({ labels }) => labels['direction'] === direction)?.value ?? 0
}

test('a phone with Opus talks to a carrier with G.711, and the frames are counted', async () => {
  const { anna } = await officeAt(edge)
  const phone = await anna.dial('20112233', {}, { codec: 'opus' })
  const customer = await callee()
  await customer.answer()
  expect(await phone.answered()).toContain(TELEPHONE_AUDIO)
  await Promise.all([phone.hears(500), customer.hears(700)])
  phone.hangUp()
  await customer.ended()
  await eventually(async () => {
    expect(await framesOf(edge, 'decoded')).toBeGreaterThanOrEqual(20)
    expect(await framesOf(edge, 'encoded')).toBeGreaterThanOrEqual(20)
  })
})

test('a phone that rings for a customer with G.711 is asked for telephone audio, and one that calls a coworker is not', async () => {
  const { anna, number, company } = await officeAt(edge)
  const bob = await hireAt(edge.port)(company, 'Bob', 900)
  const customer = await dial(number)
  await customer.connected()
  const rung = await anna.rings()
  expect(rung.call.body!.bytes.toString()).toContain(TELEPHONE_AUDIO)
  customer.hangUp()
  await rung.ended()

  const { extensions } = (await company.api.get('/extensions')).body
  const { extension } = extensions.find((one: { employee_id: string }) => one.employee_id === bob.id)
  const phone = await anna.dial(extension, {}, { codec: 'opus' })
  await (await bob.rings()).answer()
  const sdp = await phone.answered()
  expect(sdp).toContain('opus')
  expect(sdp).not.toContain(TELEPHONE_AUDIO)
  phone.hangUp()
})

test('with MEDIA_OPUS=off nobody is offered Opus, and a phone that has nothing else is refused', async () => {
  const { config } = bellhop.parts
  const without = await startEdge({
    ...bellhop.parts,
    config: { ...config, media: { ...config.media, opus: false } },
  })
  onTestFinished(() => without.stop())
  connectCarrier('without', without.port)
  const { anna, number } = await officeAt(without)
  const refused = await anna.dial('20112233', {}, { codec: 'opus' })
  expect(await refused.ended()).toMatchObject({ why: 'refused', status: 488 })
  const customer = await dial(number, { over: 'without' })
  await customer.connected()
  const phone = await anna.rings()
  expect(phone.call.body!.bytes.toString()).not.toContain('opus')
  await phone.answer()
  await Promise.all([customer.hears(700), phone.hears(440)])
  expect(await framesOf(without, 'decoded')).toBe(0)
})

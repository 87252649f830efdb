import { expect, onTestFinished, test, vi } from 'vitest'

import { startEdge } from '../../server/roles/edge.ts'
import type { Edge } from '../../server/telephony/edge/edge.ts'
import { eventually } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'

vi.setConfig({ testTimeout: 90_000 })

const phoneSystem = await openPhoneSystem()
const { bellhop, edge, callee, connectCarrier, dial, hireAt } = phoneSystem

async function officeAt({ port }: Edge) {
  const company = await bellhop.newCompany()
  const anna = await hireAt(port)(company, 'Anna', 700)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  return { anna, number }
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
  await phone.answered()
  await Promise.all([phone.hears(500), customer.hears(700)])
  phone.hangUp()
  await customer.ended()
  await eventually(async () => {
    expect(await framesOf(edge, 'decoded')).toBeGreaterThanOrEqual(20)
    expect(await framesOf(edge, 'encoded')).toBeGreaterThanOrEqual(20)
  })
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

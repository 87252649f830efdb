import { expect, onTestFinished, test } from 'vitest'

import { encodeId } from '../../server/platform/ids.ts'
import { startEdge } from '../../server/roles/edge.ts'
import { SIP_LIMITS } from '../../server/sip/limits.ts'
import { createDns } from '../../server/sip/transport/resolve.ts'
import { callIs, eventually } from '../harness/calls/call-events.ts'
import { newDevice } from '../harness/calls/edge.ts'
import { CARRIER, numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { loopbackTrunk, startAgent } from '../harness/sip/agent.ts'
import { startNameServer } from '../harness/sip/name-server.ts'
import { createTestClock } from '../harness/test-clock.ts'

const MINUTE_MS = 60_000

const phoneSystem = await openPhoneSystem()
const { bellhop, hire, callee, dial, edge } = phoneSystem

test('an edge that drains also waits for a call that it began to relay to one of its phones meanwhile', async () => {
  const draining = await startEdge(bellhop.parts)
  onTestFinished(() => draining.stop())
  phoneSystem.connectCarrier('draining', draining.port)
  const company = await bellhop.newCompany()
  const atDraining = phoneSystem.hireAt(draining.port)
  const [anna, bob] = [await atDraining(company, 'Anna', 700), await atDraining(company, 'Bob', 800)]
  const toAnna = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const toBob = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [bob.id] })
  const own = await dial(toAnna.number, { over: 'draining' })
  await own.connected()
  const annasPhone = await anna.rings()
  await annasPhone.answer()
  await Promise.all([own.hears(700), annasPhone.hears(440)])

  let isDrained = false
  const drained = draining.drain(60_000).then(() => (isDrained = true))
  const relayed = await dial(toBob.number)
  await relayed.connected()
  const bobsPhone = await bob.rings()
  await bobsPhone.answer()
  await Promise.all([relayed.hears(800), bobsPhone.hears(440)])
  own.hangUp()
  await annasPhone.ended()
  // The end of the call is stored when the edge no longer counts it.
  await eventually(async () =>
    expect((await company.api.get('/calls?state=ended')).body.calls).toHaveLength(1),
  )
  await Promise.all([relayed.hears(800), bobsPhone.hears(440)])
  expect(isDrained).toBe(false)
  relayed.hangUp()
  await drained
})

test('an edge that stops hangs up on a customer whom an employee called and transferred, and on the coworker', async () => {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const bob = await hire(company, 'Bob', 800)
  await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const annasPhone = await anna.dial('20112233')
  const customer = await callee()
  await customer.answer()
  await annasPhone.answered()
  const { id } = await callIs(company, 'bridged')
  const begun = await anna.api.post(`/calls/${id}/transfers`, { employee_id: bob.id })
  const bobsPhone = await bob.rings()
  await bobsPhone.answer()
  await eventually(async () => {
    expect((await anna.api.get('/calls/active')).body.transfer.state).toBe('consulting')
  })
  await anna.api.post(`/calls/${id}/transfers/${begun.body.transfer.id}/completion`)
  await annasPhone.ended()
  await customer.hears(800)

  const stopped = edge.stop()
  expect(await customer.ended()).toEqual({ why: 'hungUp', by: 'peer' })
  expect(await bobsPhone.ended()).toEqual({ why: 'hungUp', by: 'peer' })
  await stopped
  expect((await callIs(company, 'ended')).id).toBe(id)
})

const serviceAt = ({ port }: { port: number }, priority: number) => ({
  name: '127.0.0.1',
  port,
  priority,
  weight: 1,
})

const trunkByName = (credentials: { username: string; password: string }) =>
  loopbackTrunk('bellhop', 0, { hosts: [{ host: 'phones.test' }], credentials })

test('edges with SRV records: a carrier calls the next one if one drains, and a phone registers there when it is gone', async () => {
  const [leaving, staying] = [await startEdge(bellhop.parts), await startEdge(bellhop.parts)]
  onTestFinished(() => leaving.stop())
  onTestFinished(() => staying.stop())
  const names = await startNameServer({
    '_sip._udp.phones.test': [serviceAt(leaving, 1), serviceAt(staying, 2)],
  })
  onTestFinished(() => void names.close())
  const clock = createTestClock()
  const carrier = await startAgent({ dns: createDns([names.address]), trunks: [trunkByName(CARRIER)] })
  onTestFinished(() => carrier.agent.close())
  const company = await bellhop.newCompany()
  const device = await newDevice(bellhop, company)
  const registration = { user: device.username, domain: 'phones.test', seconds: 300 }
  const phone = await startAgent({
    clock,
    dns: createDns([names.address]),
    trunks: [{ ...trunkByName(device), registration }],
  })
  onTestFinished(async () => {
    const closed = phone.agent.close()
    clock.advance(MINUTE_MS)
    await closed
  })
  const registeredAt = async () =>
    (await bellhop.db.sql`select edge_id from device_registrations where username = ${device.username}`)[0]
      ?.edge_id as string | undefined
  await eventually(async () => expect(await registeredAt()).toBe(leaving.id))

  const { number } = await numberWith(bellhop, company, {
    type: 'TransferConfig',
    employee_ids: [encodeId('emp', company.employeeId)],
  })
  await leaving.drain(0)
  const customer = await dial(number, { by: carrier.agent })
  await customer.connected()
  customer.hangUp()

  await leaving.stop()
  expect(await registeredAt()).toBeUndefined()
  clock.advance(250_000)
  await eventually(async () => {
    // How long it waits for the edge that is gone.
    clock.advance(SIP_LIMITS.firstAnswerMs)
    expect(await registeredAt()).toBe(staying.id)
  })
})

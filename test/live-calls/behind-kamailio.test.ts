import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, expect, test, vi } from 'vitest'

import { startEdge } from '../../server/roles/edge.ts'
import { afterFile } from '../harness/after-file.ts'
import { callIs } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { freePorts } from '../harness/processes/ports.ts'
import { loopbackTrunk, startAgent } from '../harness/sip/agent.ts'
import { certificateFiles } from '../harness/sip/certificate.ts'
import { startFrontProxy } from '../harness/sip/front-proxy.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** Kamailio and the carrier have addresses of their own, so that edges can tell them apart. */
const FRONT = '127.0.0.2'
const CARRIER = '127.0.0.3'
const carrierByAddress = { name: 'by-address', hosts: [`${CARRIER}:1`], addresses: [CARRIER], probed: false }

const phoneSystem = await openPhoneSystem({ SIP_PROXIES: FRONT }, {}, { otherTrunks: [carrierByAddress] })
const { bellhop, edge: first, dial } = phoneSystem
const second = await startEdge(bellhop.parts)
afterAll(() => second.stop())
const certificate = await certificateFiles()
const port = await freePorts(3)
const folder = await mkdtemp(join(tmpdir(), 'bellhop-front-'))
const front = await startFrontProxy({
  address: FRONT,
  ports: { sip: port, tls: port + 1, wss: port + 2 },
  certificate: { cert: certificate.environment.SIP_TLS_CERT, key: certificate.environment.SIP_TLS_KEY },
  edges: [first, second].map((edge) => `127.0.0.1:${edge.port}`),
  folder,
})
afterFile(async () => {
  await front.close()
  await rm(folder, { recursive: true })
})
const trunk = loopbackTrunk('front', port, { hosts: [{ host: FRONT, port }] })
const carrier = await startAgent({ hosts: [CARRIER], trunks: [trunk] })
afterFile(() => carrier.agent.close())

const call = (number: string) => dial(number, { by: carrier.agent, over: 'front' })
const edgesOf = async (username: string) =>
  (await bellhop.db.sql`select edge_id from device_registrations where username = ${username}`).map(
    ({ edge_id }) => edge_id as string,
  )

async function office() {
  const company = await bellhop.newCompany()
  const anna = await phoneSystem.hireAt(port, FRONT)(company, 'Anna', 700)
  return {
    company,
    anna,
    ...(await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })),
  }
}

test('a carrier calls, and the phone is rung, held and hung up through Kamailio, whichever edge has what', async () => {
  const { company, anna, number } = await office()
  // Calls are spread by Call-ID: of these, some are at the edge of the phone and some are not.
  for (let count = 0; count < 4; count++) {
    const customer = await call(number)
    await customer.connected()
    const phone = await anna.rings()
    await phone.answer()
    await Promise.all([customer.hears(700), phone.hears(440)])
    await callIs(company, 'bridged')
    expect((await phone.hold()).ok).toBe(true)
    expect((await phone.resume()).ok).toBe(true)
    if (count % 2) {
      customer.hangUp()
      await phone.ended()
    } else {
      phone.hangUp()
      await customer.ended()
    }
    await callIs(company, 'ended')
  }
})

test('an edge is drained and stopped: its calls go on, new ones are answered, and its phones stay registered', async () => {
  const { anna, number } = await office()
  const bob = await office()
  const [leavingId] = await edgesOf(anna.device.username)
  const [leaving, staying] = leavingId === first.id ? [first, second] : [second, first]
  const talk = async (to: string, employee: typeof anna) => {
    const customer = await call(to)
    await customer.connected()
    const phone = await employee.rings()
    await phone.answer()
    await Promise.all([customer.hears(700), phone.hears(440)])
    return { customer, phone }
  }
  const running = await talk(number, anna)
  const drained = leaving.drain(60_000)
  for (let count = 0; count < 3; count++) {
    const { customer, phone } = await talk(bob.number, bob.anna)
    customer.hangUp()
    await phone.ended()
  }
  await Promise.all([running.customer.hears(700), running.phone.hears(440)])
  running.phone.hangUp()
  await running.customer.ended()
  await drained
  await leaving.stop()
  expect(await edgesOf(anna.device.username)).toEqual([staying.id])
  await talk(number, anna)
})

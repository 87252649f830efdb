import { createSocket } from 'node:dgram'
import { once } from 'node:events'

import { expect, test, vi } from 'vitest'

import {
  newDevice,
  openTestControl,
  startRegisteredPhone,
  startTestEdge,
} from '../../../test/harness/calls/edge.ts'
import { harness } from '../../../test/harness/index.ts'
import { ANNA, follow, sdp, startAgent } from '../../../test/harness/sip/agent.ts'
import { createTestClock } from '../../../test/harness/test-clock.ts'
import { removeDevice } from '../../modules/devices/index.ts'

const bellhop = await harness()

const registrationsOf = (username: string) =>
  bellhop.db.sql`
    select company_id, employee_id, edge_id, expires_at > now() as valid
    from device_registrations where username = ${username}`

const expiryOf = async (username: string) =>
  (await bellhop.db.sql`select expires_at from device_registrations where username = ${username}`)[0]!
    .expires_at as Date

test('a registration is stored with its owner and edge, and removed when the phone deregisters', async () => {
  const company = await bellhop.newCompany()
  const edge = await startTestEdge(bellhop)
  const device = await newDevice(bellhop, company)
  const clock = createTestClock()
  const phone = await startRegisteredPhone({ ...device, port: edge.port, clock })
  await phone.registered()
  const { companyId: company_id, employeeId: employee_id } = company
  const row = { company_id, employee_id, edge_id: edge.id, valid: true }
  expect(await registrationsOf(device.username)).toEqual([row])
  const until = await expiryOf(device.username)
  clock.advance(250_000)
  await phone.registered()
  expect(await registrationsOf(device.username)).toEqual([row])
  expect((await expiryOf(device.username)).getTime()).toBeGreaterThan(until.getTime())
  phone.leave()
  await vi.waitFor(async () => expect(await registrationsOf(device.username)).toEqual([]), 20_000)
})

test('a deleted device is deregistered, and cannot register again', async () => {
  const company = await bellhop.newCompany()
  const edge = await startTestEdge(bellhop)
  const device = await newDevice(bellhop, company)
  const phone = await startRegisteredPhone({ ...device, port: edge.port, protocol: 'tcp' })
  await phone.registered()
  await bellhop.db.tx((tx) => removeDevice(tx, device.id))
  expect(await registrationsOf(device.username)).toEqual([])
  phone.registerAgain()
  expect(await phone.refused()).toMatchObject({ registration: { status: 401 } })
})

test('a call from a registered device reaches call control, which finds routes to its owner', async () => {
  const company = await bellhop.newCompany()
  const control = openTestControl()
  const edge = await startTestEdge(bellhop, control.create)
  const device = await newDevice(bellhop, company)
  const phone = await startRegisteredPhone({ ...device, port: edge.port })
  await phone.registered()
  const [port] = control.edgePorts
  const routes = await port!.routesToEmployee(company.companyId, company.employeeId)
  expect(routes).toMatchObject([{ transport: 'rtp', deviceId: device.id, target: { to: 'device' } }])
  expect(await port!.ownerOf(device.username)).toEqual({
    companyId: company.companyId,
    employeeId: company.employeeId,
    deviceId: device.id,
    encryption: 'auto',
    hasRefusedEncryption: false,
  })

  const out = phone.agent.invite(
    { to: 'trunk', trunk: 'edge', number: '+4520112233' },
    { from: ANNA, body: sdp() },
  )
  const taken = await control.calls.take()
  expect(taken.peer).toEqual({ kind: 'device', username: device.username })
  taken.accept(sdp())
  await follow(out).next('answered')
  out.hangUp()
  await follow(taken).next('ended')

  const back = port!.ua.invite(routes[0]!.target, { from: ANNA, body: sdp() })
  const rung = await phone.calls.take()
  rung.accept(sdp())
  await follow(back).next('answered')
  back.hangUp()
})

test('an unknown peer on the same machine is challenged, and never reaches call control', async () => {
  const control = openTestControl()
  const edge = await startTestEdge(bellhop, control.create)
  const unknownPeer = await startAgent()
  const uri = `sip:+4578900100@127.0.0.1:${edge.port}`
  const call = unknownPeer.agent.invite({ to: 'uri', uri }, { from: ANNA, body: sdp() })
  expect(await follow(call).next('ended')).toMatchObject({ ending: { why: 'refused', status: 401 } })
  expect(control.calls.waiting).toEqual([])
  await unknownPeer.agent.close()
})

test.each([
  ['OPTIONS', 200],
  ['REGISTER', 401],
])('%s without credentials is answered %i', async (method, status) => {
  const edge = await startTestEdge(bellhop)
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const lines = [
    `${method} sip:127.0.0.1 SIP/2.0`,
    `Via: SIP/2.0/UDP 127.0.0.1:${socket.address().port};rport;branch=z9hG4bK1`,
    'From: <sip:anna@127.0.0.1>;tag=1',
    'To: <sip:anna@127.0.0.1>',
    'Call-ID: 1',
    `CSeq: 1 ${method}`,
    'Contact: <sip:anna@127.0.0.1>',
  ]
  socket.send(`${lines.join('\r\n')}\r\n\r\n`, edge.port, '127.0.0.1')
  const [response] = (await once(socket, 'message')) as [Buffer]
  socket.close()
  expect(response.toString().split(' ')[1]).toBe(String(status))
})

test('an edge that stops removes itself and its registrations from the database', async () => {
  const company = await bellhop.newCompany()
  const edge = await startTestEdge(bellhop)
  const device = await newDevice(bellhop, company)
  const phone = await startRegisteredPhone({ ...device, port: edge.port })
  await phone.registered()
  await edge.stop()
  expect(await registrationsOf(device.username)).toEqual([])
  expect(await bellhop.db.sql`select from edges where id = ${edge.id}`).toHaveLength(0)
})

test('an edge that was wrongly reaped returns with its registrations', async () => {
  const company = await bellhop.newCompany()
  const edge = await startTestEdge(bellhop)
  const device = await newDevice(bellhop, company)
  const phone = await startRegisteredPhone({ ...device, port: edge.port })
  await phone.registered()
  await bellhop.db.sql`delete from edges where id = ${edge.id}`
  expect(await registrationsOf(device.username)).toEqual([])
  await vi.waitFor(async () => expect(await registrationsOf(device.username)).toHaveLength(1), 20_000)
})

test('a draining edge accepts no new call, and waits for its live calls', async () => {
  const company = await bellhop.newCompany()
  const control = openTestControl()
  const edge = await startTestEdge(bellhop, control.create)
  const device = await newDevice(bellhop, company)
  const phone = await startRegisteredPhone({ ...device, port: edge.port })
  await phone.registered()
  control.setLive(1)
  let isDrained = false
  const drained = edge.drain(600_000).then(() => (isDrained = true))
  const out = phone.agent.invite(
    { to: 'trunk', trunk: 'edge', number: '+4520112233' },
    { from: ANNA, body: sdp() },
  )
  expect(await follow(out).next('ended')).toMatchObject({ ending: { why: 'refused', status: 503 } })
  // The edge refuses at once; the database learns of the draining a moment later.
  await vi.waitFor(async () => {
    expect(await bellhop.db.sql`select draining from edges where id = ${edge.id}`).toEqual([
      { draining: true },
    ])
  }, 30_000)
  expect(isDrained).toBe(false)
  control.setLive(0)
  await drained
})

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, expect, onTestFinished, test } from 'vitest'

import { startEdge } from '../../server/roles/edge.ts'
import { SIP_LIMITS } from '../../server/sip/limits.ts'
import { afterFile } from '../harness/after-file.ts'
import { newBrowserEmployee } from '../harness/browser/softphone.ts'
import { callIs, eventually } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { freePorts } from '../harness/processes/ports.ts'
import { loopbackTrunk, startAgent } from '../harness/sip/agent.ts'
import { AsyncQueue } from '../harness/sip/async-queue.ts'
import { certificateFiles } from '../harness/sip/certificate.ts'
import { startFrontProxy } from '../harness/sip/front-proxy.ts'

/** Kamailio and the carrier have addresses of their own, so that edges can tell them apart. */
const FRONT = '127.0.0.2'
const CARRIER = '127.0.0.3'
const carrierByAddress = { name: 'by-address', hosts: [`${CARRIER}:1`], addresses: [CARRIER], probed: false }

const port = await freePorts(3)
const ports = { sip: port, tls: port + 1, wss: port + 2 }
const phoneSystem = await openPhoneSystem(
  { SIP_PROXIES: FRONT, SIP_WEBSOCKET_URL: `wss://${FRONT}:${ports.wss}/sip` },
  {},
  { otherTrunks: [carrierByAddress] },
)
const { bellhop, edge: first, dial } = phoneSystem
const second = await startEdge(bellhop.parts)
afterAll(() => second.stop())
const certificate = await certificateFiles()
const folder = await mkdtemp(join(tmpdir(), 'bellhop-front-'))
const front = await startFrontProxy({
  address: FRONT,
  ports,
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
  for (let count = 0; count < 3; count++) {
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

test('an employee calls out through Kamailio, which asks for the password', async () => {
  const { company, anna } = await office()
  const phone = await anna.dial('20112233')
  const customer = await phoneSystem.callee()
  await customer.answer()
  await phone.answered()
  await Promise.all([phone.hears(500), customer.hears(700)])
  expect((await phone.hold()).ok).toBe(true)
  expect((await phone.resume()).ok).toBe(true)
  customer.hangUp()
  await phone.ended()
  await callIs(company, 'ended')
})

test('a phone that registers at Kamailio by TLS is called with encrypted media', async () => {
  const company = await bellhop.newCompany()
  const anna = await phoneSystem.hireSecurely(certificate.tls, FRONT, ports.tls)(company, 'Anna', 700)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const customer = await call(number)
  await customer.connected()
  const phone = await anna.rings()
  expect(phone.call.body!.bytes.toString()).toContain('RTP/SAVP')
  await phone.answer()
  await Promise.all([customer.hears(700), phone.hears(440)])
  customer.hangUp()
  await phone.ended()
})

test('a browser whose WebSocket ends at Kamailio is rung, talks, holds and hangs up', async () => {
  const company = await bellhop.newCompany()
  const anna = await newBrowserEmployee(bellhop, company, 'Anna', 700, { ignoreHTTPSErrors: true })
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  await anna.is('ready')
  const customer = await call(number)
  await customer.connected()
  await anna.is('ringing')
  await anna.press('Answer')
  await Promise.all([customer.hears(700), anna.hears(440)])
  await anna.press('Hold')
  await anna.is('held')
  await anna.press('Resume')
  await anna.is('talking')
  await anna.press('Hang up')
  await customer.ended()
  await callIs(company, 'ended')
})

/** Somebody who writes requests by hand, and claims to be the carrier: a Via is not believed, only a proxy's is. */
async function openStranger(address: string) {
  const socket = createSocket('udp4').bind(0, address)
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  const answers = new AsyncQueue<string>()
  socket.on('message', (bytes) => answers.put(bytes.toString()))
  let serial = 0
  return {
    send(method: string, username: string, ...more: string[]): void {
      serial++
      const lines = [
        `${method} sip:+4578900100@${FRONT} SIP/2.0`,
        `Via: SIP/2.0/UDP ${CARRIER}:5060;rport;received=${CARRIER};branch=z9hG4bK-${address}-${serial}`,
        'Max-Forwards: 70',
        `From: <sip:${username}@${FRONT}>;tag=1`,
        `To: <sip:${username}@${FRONT}>`,
        `Call-ID: ${username}-${address}`,
        `CSeq: ${serial} ${method}`,
        `Contact: <sip:${username}@${address}>`,
        'Content-Length: 0',
        ...more,
      ]
      socket.send(`${lines.join('\r\n')}\r\n\r\n`, port, FRONT)
    },
    /** The next final response. */
    answer: () => answers.take((text) => /^SIP\/2.0 [2-6]/.test(text)),
  }
}

const statusOf = (answer: string) => Number(answer.split(' ')[1])

/** Tries passwords until the edge has had enough, and then asks once more. */
async function guess(address: string): Promise<number> {
  const { send, answer } = await openStranger(address)
  send('REGISTER', 'nobody')
  const nonce = /nonce="([^"]+)"/.exec(await answer())![1]
  const wrong = `Authorization: Digest username="nobody", realm="bellhop", nonce="${nonce}", uri="sip:x", response="0"`
  const guesses = Array.from({ length: SIP_LIMITS.guessesUntilBlocked })
  for (const _ of guesses) send('REGISTER', 'nobody', wrong)
  for (const _ of guesses) await answer()
  send('REGISTER', 'nobody')
  return statusOf(await answer())
}

test('a stranger who claims the address of the carrier in a Via is asked for a password', async () => {
  const { send, answer } = await openStranger('127.0.0.5')
  send('INVITE', 'nobody')
  expect(statusOf(await answer())).toBe(401)
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

// Last: from then on, the edge lets no further phone register from the address that all phones here have.
test('a source that one edge has blocked is ignored by Kamailio, unless a phone has registered from there', async () => {
  // Its phone has the address of Kamailio.
  await office()
  expect(await Promise.all([guess('127.0.0.4'), guess(FRONT)])).toEqual([403, 403])
  await eventually(async () => expect(await front.ignores('127.0.0.4')).toBe(true))
  expect(await front.ignores(FRONT)).toBe(false)
})

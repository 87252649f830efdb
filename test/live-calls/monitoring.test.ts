import { expect, onTestFinished, test, vi } from 'vitest'

import { listLiveCalls } from '../../server/modules/calls/index.ts'
import { askEdges, TraceAnswer } from '../../server/modules/edges/index.ts'
import { systemClock } from '../../server/platform/clock.ts'
import { openPubSub } from '../../server/platform/db/pubsub.ts'
import { decodeId } from '../../server/platform/ids.ts'
import { serveEdge } from '../../server/roles/edge-http.ts'
import { SIP_LIMITS } from '../../server/sip/index.ts'
import { callIs, eventually, lastCall } from '../harness/calls/call-events.ts'
import { newDevice, startRegisteredPhone } from '../harness/calls/edge.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import type { TestCompany } from '../harness/index.ts'
import { ANNA, follow, sdp, startAgent } from '../harness/sip/agent.ts'

const { bellhop, edge, hire, dial, callee } = await openPhoneSystem({ EDGE_HTTP_PORT: '0' })

/** The lines with this message that were logged while `run` ran. */
async function linesOf(message: string, run: () => Promise<unknown>) {
  const before = bellhop.logged.length
  await run()
  return bellhop.logged
    .slice(before)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === message)
}

/** The value of a metric, as Prometheus reads it from the edge. */
async function metric(name: string): Promise<number> {
  const { config, log } = bellhop.parts
  const http = await serveEdge({ config, log, edge })
  try {
    const lines = (await (await fetch(`${http.url}/metrics`)).text()).split('\n')
    return Number(
      lines
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')
        .at(-1) ?? 0,
    )
  } finally {
    await http.stop()
  }
}

async function office() {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const number = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  return { company, anna, ...number }
}

test('a call to a number that nobody has is one line that says so, without the whole number', async () => {
  const name = 'bellhop_calls_refused_total{direction="inbound",status="404"}'
  const before = await metric(name)
  const lines = await linesOf('an inbound call was refused', async () => {
    const call = await dial('+4578999999')
    expect(await call.ended()).toMatchObject({ status: 404 })
  })
  expect(lines).toEqual([
    expect.objectContaining({
      level: 'warn',
      status: 404,
      why: 'no company has the called number',
      trunk: 'carrier',
      called: ['+45…99'],
      sipCallId: expect.any(String),
    }),
  ])
  expect(await metric(name)).toBe(before + 1)
  // Its media was opened while the number was looked up.
  await eventually(async () => expect(await metric('bellhop_media_ports_in_use')).toBe(0))
})

test('a call whose sound does not fit is one line that says what is missing', async () => {
  const { number } = await office()
  const lines = await linesOf('an inbound call was refused', async () => {
    const offer = sdp()
      .bytes.toString()
      .replace(/^m=audio.*$/m, 'm=audio 40000 RTP/AVP 18')
      .replace(/^a=rtpmap.*\r\n/gm, '')
    const carrier = await startAgent()
    onTestFinished(() => carrier.agent.close())
    const call = carrier.agent.invite(
      { to: 'uri', uri: `sip:${encodeURIComponent(number)}@127.0.0.1:${edge.port}` },
      {
        from: ANNA,
        body: { contentType: 'application/sdp', bytes: Buffer.from(offer) },
        credentials: { username: 'carrier', password: 'secret-of-the-test' },
      },
    )
    expect(await follow(call).next('ended')).toMatchObject({ ending: { status: 488 } })
  })
  expect(lines).toEqual([
    expect.objectContaining({ status: 488, why: expect.stringMatching(/^the SDP offer does not fit: /) }),
  ])
})

test('an employee who may not call there is one line with the reason', async () => {
  const { anna } = await office()
  const lines = await linesOf('an outbound call was refused', async () => {
    const phone = await anna.dial('+12025550100')
    expect(await phone.ended()).toMatchObject({ status: 403 })
  })
  expect(lines).toEqual([
    expect.objectContaining({
      status: 403,
      why: 'calls to that country are not allowed',
      username: anna.device.username,
      employee: anna.uuid,
    }),
  ])
})

test.each([
  [503, 'warn'],
  [486, 'info'],
])('an outbound call that gets %i is one line of level %s', async (status, level) => {
  const { anna } = await office()
  const lines = await linesOf('a carrier did not take a call', async () => {
    const phone = await anna.dial('+4520112233')
    ;(await callee()).call.reject(status)
    expect(await phone.ended()).toMatchObject({ status })
  })
  expect(lines).toEqual([expect.objectContaining({ level, status, call: expect.any(String) })])
})

const WRONG = 'a SIP request was refused: the password is wrong, or the user does not exist'

test('a phone with a wrong password is one line, and is counted', async () => {
  const company = await bellhop.newCompany()
  const device = await newDevice(bellhop, company)
  const name = 'bellhop_sip_refusals_total{why="wrong_password"}'
  const before = await metric(name)
  const lines = await linesOf(WRONG, async () => {
    const phone = await startRegisteredPhone({ ...device, password: 'wrong', port: edge.port })
    await phone.refused()
    phone.leave()
  })
  expect(lines[0]).toMatchObject({ method: 'REGISTER', source: '127.0.0.1', username: device.username })
  expect(JSON.stringify(lines)).not.toContain(device.password)
  expect(await metric(name)).toBe(before + lines.length)
})

test('a call from an address of no trunk, without a password, is one line with its address', async () => {
  const unknown = await startAgent()
  onTestFinished(() => unknown.agent.close())
  const message = 'a SIP request was refused: it comes from an address of no trunk, and without a password'
  const lines = await linesOf(message, async () => {
    const uri = `sip:+4578900100@127.0.0.1:${edge.port}`
    const call = unknown.agent.invite({ to: 'uri', uri }, { from: ANNA, body: sdp() })
    await follow(call).next('ended')
    await vi.waitFor(() => {
      if (!bellhop.logged.some((line) => line.includes(message) && line.includes(call.id)))
        throw new Error('not logged yet')
    }, 20_000)
  })
  expect(lines).toEqual([expect.objectContaining({ method: 'INVITE', source: '127.0.0.1' })])
})

test('a phone that answers its challenge is no failure', async () => {
  const { anna } = await office()
  expect(bellhop.logged.filter((line) => line.includes(anna.device.username))).toEqual([])
})

test('calls, set-up times, waits, phones, ports and packets are measured', async () => {
  const { company, anna, number } = await office()
  const answered = 'bellhop_calls_ended_total{direction="inbound",answered="true",outcome="customer_hung_up"}'
  const waited = 'bellhop_queue_wait_seconds_count{outcome="answered"}'
  const setUp = 'bellhop_call_setup_seconds_count{direction="inbound"}'
  const before = {
    answered: await metric(answered),
    waited: await metric(waited),
    setUp: await metric(setUp),
    packets: await metric('bellhop_rtp_received_packets_total'),
    legs: await metric('bellhop_rtp_jitter_seconds_count'),
  }
  const customer = await dial(number)
  await customer.connected()
  const rung = await anna.rings()
  await callIs(company, 'queued')
  expect(await metric('bellhop_queue_length')).toBe(1)
  expect(await metric('bellhop_calls_live{direction="inbound",state="queued"}')).toBe(1)
  await rung.answer()
  await Promise.all([customer.hears(700), rung.hears(440)])
  expect(await metric('bellhop_queue_length')).toBe(0)
  expect(await metric('bellhop_media_ports_in_use')).toBeGreaterThanOrEqual(4)
  expect(await metric('bellhop_phones_registered')).toBeGreaterThanOrEqual(1)
  expect(await metric('bellhop_trunks{state="up"}')).toBe(1)
  customer.hangUp()
  await rung.ended()
  await callIs(company, 'ended')
  expect(await metric(answered)).toBe(before.answered + 1)
  expect(await metric(waited)).toBe(before.waited + 1)
  expect(await metric(setUp)).toBe(before.setUp + 1)
  await vi.waitFor(async () => {
    expect(await metric('bellhop_rtp_received_packets_total')).toBeGreaterThan(before.packets)
    expect(await metric('bellhop_rtp_jitter_seconds_count')).toBe(before.legs + 2)
  }, 20_000)
})

test('a call between coworkers is listed and measured while it lasts', async () => {
  const { company, anna } = await office()
  const bob = await hire(company, 'Bob', 800)
  const { extensions } = (await company.api.get('/extensions')).body
  const extensionOf = (id: string): string =>
    extensions.find((one: { employee_id: string }) => one.employee_id === id).extension
  const listed = () => listLiveCalls(bellhop.db.sql, company.companyId, 10)
  expect(await listed()).toEqual([])
  const annasPhone = await anna.dial(extensionOf(bob.id))
  const bobsPhone = await bob.rings()
  expect(await listed()).toMatchObject([
    {
      company_id: company.companyId,
      direction: 'internal',
      state: 'initiated',
      number: extensionOf(anna.id),
      remote_number: extensionOf(bob.id),
    },
  ])
  expect(await metric('bellhop_calls_live{direction="internal",state="initiated"}')).toBe(1)
  await bobsPhone.answer()
  await annasPhone.answered()
  await vi.waitFor(async () => expect(await listed()).toMatchObject([{ state: 'answered' }]), 20_000)
  expect(await metric('bellhop_calls_live{direction="internal",state="answered"}')).toBe(1)
  annasPhone.hangUp()
  await bobsPhone.ended()
  await vi.waitFor(async () => expect(await listed()).toEqual([]), 20_000)
})

/** The first lines of the messages of a call, as an operator asks for them. */
async function traceOf(company: TestCompany): Promise<string[]> {
  const { id } = await lastCall(company)
  const pubsub = openPubSub(bellhop.db.address, bellhop.parts.log)
  try {
    const question = { ask: 'trace' as const, call_id: decodeId('cal', id)! }
    const parts = { db: bellhop.db, pubsub, clock: systemClock }
    const [answer] = await askEdges(parts, question, TraceAnswer, 10_000)
    if (!answer?.ok) throw new Error('no answer')
    expect(await bellhop.db.sql`select from edge_commands`).toEqual([])
    return answer.value.messages.map(({ direction, text }) => `${direction} ${text.split('\r\n', 1)[0]}`)
  } finally {
    await pubsub.close()
  }
}

test('the trace of an inbound call has the INVITE of the carrier and those to the phones', async () => {
  const { company, anna, number } = await office()
  const customer = await dial(number)
  await customer.connected()
  await (await anna.rings()).answer()
  await callIs(company, 'bridged')
  const trace = await traceOf(company)
  expect(trace[0]).toMatch(/^in INVITE /)
  expect(trace).toContainEqual(expect.stringMatching(new RegExp(`^out INVITE .*${anna.device.username}`)))
  expect(trace.filter((line) => / 200 OK/.test(line)).length).toBeGreaterThanOrEqual(2)
  customer.hangUp()
  await callIs(company, 'ended')
})

test('the trace of an outbound call has the INVITE of the phone and that to the carrier', async () => {
  const { company, anna } = await office()
  const phone = await anna.dial('+4520112233')
  ;(await callee()).call.reject(486)
  await phone.ended()
  await callIs(company, 'ended')
  const trace = await traceOf(company)
  expect(trace).toContainEqual(expect.stringMatching(/^out INVITE sip:\+4520112233@/))
  expect(trace).toContainEqual('in SIP/2.0 486 Busy Here')
  expect(trace).toContainEqual('out SIP/2.0 486 Busy Here')
})

// Last, because every test comes from this address.
test('a source that guesses passwords is one line when it is blocked, and the guesses do not fill the log', async () => {
  const blocked = 'a source is blocked: it sent too many wrong passwords'
  const guesser = await startAgent()
  onTestFinished(() => guesser.agent.close())
  const before = bellhop.logged.length
  for (let guess = 0; guess < SIP_LIMITS.guessesUntilBlocked; guess++)
    guesser.agent.invite(
      { to: 'uri', uri: `sip:+4578900100@127.0.0.1:${edge.port}` },
      { from: ANNA, body: sdp(), credentials: { username: `guess${guess}`, password: 'guess' } },
    )
  await vi.waitFor(() => {
    if (!bellhop.logged.some((line) => line.includes(blocked))) throw new Error('not blocked yet')
  }, 30_000)
  const since = bellhop.logged.slice(before).map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(since.filter(({ msg }) => msg === blocked)).toEqual([
    expect.objectContaining({ source: '127.0.0.1' }),
  ])
  expect(await metric('bellhop_sip_blocked_sources')).toBe(1)
})

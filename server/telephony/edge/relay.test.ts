import { expect, onTestFinished, test, vi } from 'vitest'

import {
  newDevice,
  openTestControl,
  startRegisteredPhone,
  startTestEdge,
} from '../../../test/harness/calls/edge.ts'
import { harness } from '../../../test/harness/index.ts'
import { ANNA, follow, sdp, startAgent } from '../../../test/harness/sip/agent.ts'
import { AsyncQueue } from '../../../test/harness/sip/async-queue.ts'
import { startBaresip } from '../../../test/harness/sip/baresip.ts'
import { certificateFiles } from '../../../test/harness/sip/certificate.ts'
import { startTonePhone } from '../../../test/harness/sip/tone-phone.ts'
import { startPhone } from '../../../test/harness/sound/rtp-phone.ts'
import { sdpBody } from '../../sip/index.ts'
import type { PhoneRoute } from '../port.ts'

const CUSTOMER_HZ = 440
const EMPLOYEE_HZ = 700

const certificate = await certificateFiles()
const bellhop = await harness(certificate.environment)

/** A company whose employee's phone is at one edge, and call control at another. */
async function openBothEdges() {
  const company = await bellhop.newCompany()
  const control = openTestControl()
  const [near, far] = [await startTestEdge(bellhop, control.create), await startTestEdge(bellhop)]
  const device = await newDevice(bellhop, company)
  const [edge] = control.edgePorts
  const routesTo = () => edge!.routesToEmployee(company.companyId, company.employeeId)

  /** A caller at the near edge, bridged with the employee's phone. */
  async function ring(known?: PhoneRoute) {
    const { media, ua } = edge!
    const customer = await startPhone()
    onTestFinished(() => customer.close())
    const caller = await media.createLeg({ offer: customer.sdp() })
    const route = known ?? (await routesTo())[0]
    const callee = await media.createLeg({ transport: route!.transport })
    if (!caller.ok || !callee.ok) throw new Error('no leg')
    customer.setRemote(caller.sdp)
    customer.say(CUSTOMER_HZ)
    const options = { from: ANNA, body: sdpBody(callee.sdp), credentials: route!.credentials! }
    const call = ua.invite(route!.target, options)
    const events = follow(call)
    return {
      customer,
      call,
      ...events,
      leg: callee.leg,
      media,
      async answered(): Promise<void> {
        const { body } = await events.next('answered')
        await media.setRemote(callee.leg, { type: 'answer', sdp: body!.bytes.toString() })
        await media.bridge(caller.leg, callee.leg)
      },
    }
  }
  return { company, near, far, device, routesTo, ring }
}

const registered = async (username: string) =>
  vi.waitFor(async () => {
    const rows = await bellhop.db.sql`select from device_registrations where username = ${username}`
    if (rows.length === 0) throw new Error('not registered yet')
  }, 20_000)

test('a phone at another edge rings, and both sides hear each other; hold and hang-up are passed on', async () => {
  const { far, device, ring } = await openBothEdges()
  const { username: user, password } = device
  const phone = await startTonePhone({ user, password, port: far.port, hz: EMPLOYEE_HZ })
  onTestFinished(() => phone.stop())
  await registered(user)
  const { customer, call, next, answered, leg, media } = await ring()
  const [employee] = await Promise.all([phone.answer(), answered()])
  await Promise.all([customer.hears(EMPLOYEE_HZ), phone.hears(CUSTOMER_HZ)])

  const [held] = await Promise.all([
    employee.ask('sendonly'),
    next('offer').then(async ({ offer }) => {
      const sent = offer.body!.bytes.toString()
      expect(sent).toContain('a=sendonly')
      const set = await media.setRemote(leg, { type: 'offer', sdp: sent })
      offer.accept(sdpBody((set as { sdp: string }).sdp))
    }),
  ])
  expect(held).toBe(true)
  call.hangUp()
  await employee.isOver()
})

type BothEdges = Awaited<ReturnType<typeof openBothEdges>>

/** The phone answers by itself; both hear each other, and the customer hangs up. */
async function talkWith(
  phone: Awaited<ReturnType<typeof startBaresip>>,
  user: string,
  ring: BothEdges['ring'],
): Promise<void> {
  onTestFinished(() => phone.stop())
  await registered(user)
  const { customer, answered, call } = await ring()
  await answered()
  await Promise.all([customer.hears(EMPLOYEE_HZ), phone.hears(CUSTOMER_HZ)])
  call.hangUp()
  await phone.event('CALL_CLOSED')
}

test('baresip at another edge is rung and answers', async () => {
  const { far, device, ring } = await openBothEdges()
  const { username: user, password } = device
  const phone = await startBaresip({
    user,
    password,
    port: far.port,
    protocol: 'tcp',
    answers: 'auto',
    hz: EMPLOYEE_HZ,
  })
  await talkWith(phone, user, ring)
})

test('a phone at another edge that accepts encrypted media only is rung with it', async () => {
  const { far, device, ring } = await openBothEdges()
  const { username: user, password } = device
  const account = { user, password, port: far.tlsPort!, protocol: 'tls', answers: 'auto' } as const
  const phone = await startBaresip({ ...account, encryption: 'srtp-mand', hz: EMPLOYEE_HZ })
  await talkWith(phone, user, ring)
})

test('a phone at another edge that refuses encryption is rung again without, by the edge where it is', async () => {
  const { far, device, ring } = await openBothEdges()
  const phone = await startRegisteredPhone({ ...device, port: far.tlsPort!, tls: certificate.tls })
  await phone.registered()
  const { next, call } = await ring()
  const first = await phone.calls.take()
  expect(first.body!.bytes.toString()).toContain('RTP/SAVP')
  first.reject(488)
  const second = await phone.calls.take()
  expect(second.body!.bytes.toString()).toContain('RTP/AVP')
  second.accept(sdp())
  await next('answered')
  call.hangUp()
})

test('ringing and busy responses of the phone are passed back, and a CANCEL by the caller is passed on', async () => {
  const { far, device, ring } = await openBothEdges()
  const phone = await startRegisteredPhone({ ...device, port: far.port })
  await phone.registered()
  const refused = await ring()
  const first = await phone.calls.take()
  first.ring()
  await refused.next('ringing')
  first.reject(486)
  expect(await refused.next('ended')).toMatchObject({ ending: { why: 'refused', by: 'peer', status: 486 } })

  const given = await ring()
  const second = await phone.calls.take()
  second.ring()
  await given.next('ringing')
  given.call.hangUp('elsewhere')
  const { ending } = await follow(second).next('ended')
  expect(ending).toEqual({ why: 'cancelled', elsewhere: true })

  const info = await ring()
  const third = await phone.calls.take()
  third.accept(sdp())
  await info.next('answered')
  const keys = { contentType: 'application/dtmf-relay', bytes: Buffer.from('Signal=5\r\n') }
  await third.info(keys)
  expect((await info.next('info')).body.bytes.toString()).toContain('Signal=5')
  third.hangUp()
  expect(await info.next('ended')).toMatchObject({ ending: { why: 'hungUp', by: 'peer' } })
})

test('the edge that has the call decides on a transfer that the phone requests', async () => {
  const { far, device, ring } = await openBothEdges()
  const phone = await startRegisteredPhone({ ...device, port: far.port })
  await phone.registered()
  const { next } = await ring()
  const call = await phone.calls.take()
  call.accept(sdp())
  await next('answered')
  const reports = new AsyncQueue<number>()
  const refused = call.refer({ target: 'sip:nobody@127.0.0.1' }, reports.put)
  ;(await next('transfer')).transfer.refuse(404)
  expect(await refused).toBe(404)
  const accepted = call.refer({ target: 'sip:bob@127.0.0.1' }, reports.put)
  const { transfer } = await next('transfer')
  expect(transfer.target).toMatchObject({ user: 'bob' })
  transfer.accept()
  expect(await accepted).toBe(202)
  transfer.report(200)
  expect(await reports.take((status) => status >= 200)).toBe(200)
  call.hangUp()
  await next('ended')
})

test('a call to a phone that is no longer at this edge is refused with one line that says why, and counted', async () => {
  const { far, device, routesTo, ring } = await openBothEdges()
  const refused = async () => {
    const { values } = await far.metrics.getSingleMetric('bellhop_calls_refused_total')!.get()
    return values.filter(({ labels }) => labels.direction === 'relayed')
  }
  const phone = await startRegisteredPhone({ ...device, port: far.port })
  await phone.registered()
  const [route] = await routesTo()
  expect(await refused()).toEqual([])
  const before = bellhop.logged.length
  phone.leave()
  await vi.waitFor(async () => expect(await routesTo()).toEqual([]), 20_000)
  const { next } = await ring(route)
  expect(await next('ended')).toMatchObject({ ending: { why: 'refused', status: 430 } })
  const lines = bellhop.logged
    .slice(before)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === 'a call of another edge was refused')
  expect(lines).toEqual([
    expect.objectContaining({
      level: 'warn',
      status: 430,
      why: 'the phone is not registered here',
      sipCallId: expect.any(String),
    }),
  ])
  expect(await refused()).toMatchObject([{ labels: { status: 430 }, value: 1 }])
})

test('only an edge can ring a phone by the name that edges use', async () => {
  const { far, device, routesTo } = await openBothEdges()
  const phone = await startRegisteredPhone({ ...device, port: far.port })
  await phone.registered()
  const [route] = await routesTo()
  const unknownPeer = await startAgent()
  onTestFinished(() => unknownPeer.agent.close())
  const call = unknownPeer.agent.invite(route!.target, { from: ANNA, body: sdp() })
  expect(await follow(call).next('ended')).toMatchObject({ ending: { why: 'refused', status: 401 } })
  expect(phone.calls.waiting).toEqual([])
})

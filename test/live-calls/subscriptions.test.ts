import { expect, onTestFinished, test, vi } from 'vitest'

import { removeDevice } from '../../server/modules/devices/index.ts'
import { callIs } from '../harness/calls/call-events.ts'
import { newDevice, startTestEdge } from '../harness/calls/edge.ts'
import { CUSTOMER, type Employee, numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { newVoicemail } from '../harness/calls/telephony.ts'
import type { TestCompany } from '../harness/index.ts'
import { startBaresip } from '../harness/sip/baresip.ts'
import { certificateFiles } from '../harness/sip/certificate.ts'
import { sipp } from '../harness/sip/sipp.ts'
import { openSubscriber } from '../harness/sip/subscriber.ts'
import { sounds } from '../harness/sound/spoken-english.ts'

const certificate = await certificateFiles()
const { bellhop, edge, hire, dial, callee } = await openPhoneSystem(certificate.environment)

async function office() {
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const bob = await hire(company, 'Bob', 800)
  const { extensions } = (await company.api.get('/extensions')).body
  const extensionOf = ({ id }: Employee): string =>
    extensions.find((one: { employee_id: string }) => one.employee_id === id).extension
  return { company, anna, bob, extensionOf }
}

const uriOf = (user: string) => `sip:${user}@127.0.0.1`

/** A lamp of an employee's phone. */
async function lamp({ device }: Pick<Employee, 'device'>, user: string, event: string, port = edge.port) {
  const phone = await openSubscriber(port, device)
  const { response, dialog } = await phone.subscribe(uriOf(user), event)
  expect(response.status).toBe(200)
  return { next: () => phone.notified(dialog), phone, dialog }
}

/** The next state of a coworker's lamp that is not the one before. */
async function busyLamp(employee: Pick<Employee, 'device'>, user: string, port = edge.port) {
  const { next } = await lamp(employee, user, 'dialog', port)
  let version = 0
  return async () => {
    const { body, contentType } = await next()
    expect(contentType).toBe('application/dialog-info+xml')
    // Nothing of the customer.
    expect(body).not.toMatch(/remote|identity|\+|20112233/)
    expect(body).toContain(`version="${version++}" state="full" entity="${uriOf(user)}"`)
    return [...body.matchAll(/<dialog id="[^"]+"(?: direction="(\w+)")?><state>(\w+)<\/state>/g)].map(
      ([, direction, state]) => [direction, state].filter(Boolean).join(' '),
    )
  }
}

const mailboxLamp = async (employee: Pick<Employee, 'device'>) => {
  const { next } = await lamp(employee, employee.device.username, 'message-summary')
  return async () => {
    const { body, contentType } = await next()
    expect(contentType).toBe('application/simple-message-summary')
    const [waiting, account, counts] = body.split('\r\n')
    expect(account).toBe(`Message-Account: ${uriOf(employee.device.username)}`)
    return `${waiting}, ${counts}`
  }
}

/** Two seconds of a sentence. */
const SAID = sounds[3]!.subarray(0, 16_000)

const voicemailsOf = async ({ api }: TestCompany) => (await api.get('/voicemails')).body.voicemails

test('a voicemail switches the lamp of every phone of the company on, and listening to it off', async () => {
  const { company, anna, bob } = await office()
  const { number } = await numberWith(bellhop, company, {
    type: 'VoicemailConfig',
    greeting: 'Leave a word.',
  })
  await bellhop.drainJobs()
  const annas = await mailboxLamp(anna)
  const bobs = await mailboxLamp(bob)
  const both = async () => [await annas(), await bobs()]
  const none = 'Messages-Waiting: no, Voice-Message: 0/0'
  expect(await both()).toEqual([none, none])
  const leaveWord = async () => {
    const caller = await dial(number)
    await caller.connected()
    caller.shutUp()
    await callIs(company, 'recording')
    await caller.recite(SAID)
    caller.hangUp()
  }
  await leaveWord()
  const one = 'Messages-Waiting: yes, Voice-Message: 1/0'
  expect(await both()).toEqual([one, one])
  const [{ id }] = await voicemailsOf(company)
  await bob.api.patch(`/voicemails/${id}`, { listened: true })
  const heard = 'Messages-Waiting: no, Voice-Message: 0/1'
  expect(await both()).toEqual([heard, heard])
  await leaveWord()
  expect(await annas()).toBe('Messages-Waiting: yes, Voice-Message: 1/1')
  // Somebody has read its transcript in the inbox.
  const { observed_at: through } = (await bob.api.get(`/inbox/${CUSTOMER}/activity`)).body
  expect((await bob.api.post(`/inbox/${CUSTOMER}/seen`, { through })).status).toBe(204)
  expect(await annas()).toBe('Messages-Waiting: no, Voice-Message: 0/2')
  await bob.api.delete(`/voicemails/${id}`)
  expect(await annas()).toBe('Messages-Waiting: no, Voice-Message: 0/1')
})

test('a coworker’s lamp shows a call of the company’s number as it rings, is answered and ends', async () => {
  const { company, anna, bob, extensionOf } = await office()
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [bob.id] })
  const next = await busyLamp(anna, extensionOf(bob))
  expect(await next()).toEqual(['terminated'])
  const customer = await dial(number)
  await customer.connected()
  const bobsPhone = await bob.rings()
  expect(await next()).toEqual(['recipient early'])
  await bobsPhone.answer()
  expect(await next()).toEqual(['recipient confirmed'])
  customer.hangUp()
  expect(await next()).toEqual(['recipient terminated'])
})

test('a coworker’s lamp shows whom they call, and an internal call', async () => {
  const { company, anna, bob, extensionOf } = await office()
  await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [bob.id] })
  // By the user name of the phone as well.
  const next = await busyLamp(anna, bob.device.username)
  const own = await busyLamp(anna, extensionOf(anna))
  expect([await next(), await own()]).toEqual([['terminated'], ['terminated']])
  const placed = await bob.dial(CUSTOMER)
  expect(await next()).toEqual(['initiator early'])
  const customer = await callee()
  await customer.answer()
  await placed.answered()
  expect(await next()).toEqual(['initiator confirmed'])
  customer.hangUp()
  expect(await next()).toEqual(['initiator terminated'])
  await placed.ended()
  const inside = await bob.dial(extensionOf(anna))
  const annasPhone = await anna.rings()
  expect([await next(), await own()]).toEqual([['initiator early'], ['recipient early']])
  await annasPhone.answer()
  expect([await next(), await own()]).toEqual([['initiator confirmed'], ['recipient confirmed']])
  inside.hangUp()
  expect([await next(), await own()]).toEqual([['initiator terminated'], ['recipient terminated']])
})

test('a lamp at another edge shows the calls of this one', async () => {
  const { anna, bob, extensionOf } = await office()
  const other = await startTestEdge(bellhop)
  const next = await busyLamp(anna, extensionOf(bob), other.port)
  expect(await next()).toEqual(['terminated'])
  await bob.dial(extensionOf(anna))
  expect(await next()).toEqual(['initiator early'])
})

test('nobody of another company can be watched, and no mailbox of somebody else', async () => {
  const { anna, bob, extensionOf } = await office()
  const other = await office()
  const phone = await openSubscriber(edge.port, anna.device)
  const statusOf = async (user: string, event: string) =>
    (await phone.subscribe(uriOf(user), event)).response.status
  expect(await statusOf(other.bob.device.username, 'dialog')).toBe(404)
  expect(await statusOf('99999', 'dialog')).toBe(404)
  expect(await statusOf('112', 'dialog')).toBe(404)
  expect(await statusOf(bob.device.username, 'message-summary')).toBe(404)
  expect(await statusOf(other.anna.device.username, 'message-summary')).toBe(404)
  expect(await statusOf(extensionOf(anna), 'message-summary')).toBe(200)
  expect(await statusOf(extensionOf(bob), 'presence')).toBe(489)
})

test('the lamps of a deleted phone go out', async () => {
  const { anna, bob, extensionOf } = await office()
  const device = await newDevice(bellhop, { employeeId: anna.uuid })
  const { next, phone, dialog } = await lamp({ device }, extensionOf(bob), 'dialog')
  await next()
  await bellhop.db.tx((tx) => removeDevice(tx, device.id))
  expect(await next()).toMatchObject({ state: 'terminated;reason=rejected', body: '' })
  expect((await phone.refresh(dialog)).status).toBe(481)
})

test.each(['udp', 'tcp', 'tls'] as const)(
  'baresip shows over %s that a voicemail waits',
  async (protocol) => {
    const { company, anna } = await office()
    const device = await newDevice(bellhop, { employeeId: anna.uuid })
    const { username: user, password } = device
    const port = protocol === 'tls' ? edge.tlsPort! : edge.port
    const account = { user, password, port, protocol, answers: 'manual' as const }
    await newVoicemail(company)
    const [{ id }] = await voicemailsOf(company)
    const baresip = await startBaresip({ ...account, mailbox: true })
    onTestFinished(() => baresip.stop())
    // It may subscribe before anybody listens to its reports, or after a change.
    let listened = false
    await vi.waitFor(
      async () => {
        listened = !listened
        await company.api.patch(`/voicemails/${id}`, { listened })
        expect(baresip.has('MWI_NOTIFY', 'Voice-Message: 1/0')).toBe(true)
        expect(baresip.has('MWI_NOTIFY', 'Voice-Message: 0/1')).toBe(true)
      },
      { timeout: 30_000, interval: 200 },
    )
  },
)

test.each([
  ['udp', 'message-summary'],
  ['tcp', 'dialog'],
])('SIPp subscribes over %s to %s, is notified, and unsubscribes', async (protocol, event) => {
  const { anna } = await office()
  const { username, password } = anna.device
  const keys = { event, target: username, user: username }
  const args = Object.entries(keys).flatMap(([key, value]) => ['-key', key, value])
  args.push('-au', username, '-ap', password)
  const run = await sipp('phone-subscribes', {
    to: edge.port,
    args: [...args, ...(protocol === 'tcp' ? ['-t', 't1'] : [])],
  })
  await run.done
})

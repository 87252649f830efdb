import { afterEach, describe, expect, test } from 'vitest'

import { ANNA, follow, sdp, startAgent } from '../harness/sip/agent.ts'
import { startBaresip } from '../harness/sip/baresip.ts'
import { selfSigned } from '../harness/sip/certificate.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

const certificate = await selfSigned()
const passwords = { phone: 'open-sesame' }

/** A user agent, and a phone that has registered with it. */
async function phone(protocol: 'udp' | 'tcp' | 'tls', answers: 'auto' | 'manual' = 'auto') {
  const userAgent = await startAgent({ passwords, tls: { ...certificate, ca: certificate.cert } })
  closers.push(() => userAgent.agent.close())
  const account = {
    user: 'phone',
    password: passwords.phone,
    port: userAgent.ports[protocol],
    protocol,
    answers,
  }
  const baresip = await startBaresip(account)
  closers.push(() => baresip.stop())
  const { binding } = await userAgent.registrations.take()
  return { ...userAgent, baresip, binding }
}

describe.each(['udp', 'tcp', 'tls'] as const)('a desk phone over %s', (protocol) => {
  test('registers, calls and hangs up', async () => {
    const { baresip, binding, calls, ports } = await phone(protocol)
    expect(binding).toMatchObject({ username: 'phone', protocol })
    baresip.command('dial', `sip:+4570000000@127.0.0.1:${ports[protocol]}`)
    const call = await calls.take()
    const { next } = follow(call)
    expect(call.peer).toEqual({ kind: 'device', username: 'phone' })
    expect(call.uri).toMatchObject({ user: '+4570000000' })
    expect(call.body?.bytes.toString()).toContain('PCMA/8000')
    call.ring()
    await baresip.event('CALL_RINGING')
    call.accept(sdp())
    await baresip.event('CALL_ESTABLISHED')
    await next('connected')
    baresip.command('hangup')
    expect((await next('ended')).ending).toEqual({ why: 'hungUp', by: 'peer' })
  })

  test('is called, answers and is hung up', async () => {
    const { agent, baresip, binding } = await phone(protocol)
    const call = agent.invite({ to: 'device', binding }, { from: ANNA, body: sdp() })
    const { next } = follow(call)
    expect((await next('answered')).body?.bytes.toString()).toContain('m=audio')
    await baresip.event('CALL_ESTABLISHED')
    call.hangUp()
    await baresip.event('CALL_CLOSED')
  })
})

test('a desk phone puts its call on hold and resumes it', async () => {
  const { agent, baresip, binding } = await phone('udp')
  const call = agent.invite({ to: 'device', binding }, { from: ANNA, body: sdp() })
  const { next } = follow(call)
  await next('answered')
  await baresip.event('CALL_ESTABLISHED')
  for (const [command, direction] of [
    ['hold', 'sendonly'],
    ['resume', 'sendrecv'],
  ] as const) {
    baresip.command(command)
    const { offer } = await next('offer')
    expect(offer.body?.bytes.toString()).toContain(`a=${direction}`)
    offer.accept(sdp(40_000, direction === 'sendonly' ? 'recvonly' : 'sendrecv'))
  }
  call.hangUp()
  await baresip.event('CALL_CLOSED')
})

test('a desk phone is put on hold by us, and talks before and after', async () => {
  const { agent, baresip, binding } = await phone('tcp')
  const call = agent.invite({ to: 'device', binding }, { from: ANNA, body: sdp() })
  const { next } = follow(call)
  await next('answered')
  await baresip.event('CALL_ESTABLISHED')
  const held = await call.reinvite(sdp(40_000, 'sendonly'))
  expect(held.ok && held.body?.bytes.toString()).toContain('a=recvonly')
  const resumed = await call.reinvite(sdp(40_002))
  expect(resumed.ok && resumed.body?.bytes.toString()).toContain('a=sendrecv')
  call.hangUp()
  await baresip.event('CALL_CLOSED')
})

test('a desk phone transfers its call to somebody else', async () => {
  const { agent, baresip, binding } = await phone('udp')
  const call = agent.invite({ to: 'device', binding }, { from: ANNA, body: sdp() })
  const { next } = follow(call)
  await next('answered')
  await baresip.event('CALL_ESTABLISHED')
  baresip.command('transfer', 'sip:+4530000003@127.0.0.1')
  const { transfer } = await next('transfer')
  expect(transfer.target).toMatchObject({ user: '+4530000003' })
  transfer.accept()
  transfer.report(200)
  expect((await next('ended')).ending).toEqual({ why: 'hungUp', by: 'peer' })
})

test('a phone that is called and does not respond is called again', async () => {
  const { agent, baresip, binding } = await phone('udp', 'manual')
  const call = agent.invite({ to: 'device', binding }, { from: ANNA, body: sdp() })
  const { next } = follow(call)
  await next('ringing')
  await baresip.event('CALL_INCOMING')
  call.hangUp()
  expect((await next('ended')).ending).toEqual({ why: 'cancelled' })
  await baresip.event('CALL_CLOSED')
})

test('a phone that quits deregisters', async () => {
  const { agent, baresip, registrations } = await phone('udp')
  await baresip.stop()
  expect((await registrations.take()).change).toBe('removed')
  expect(await agent.bindingsOf('phone')).toEqual([])
})

import { beforeAll, expect, test, vi } from 'vitest'

import { sdpBody } from '../../server/sip/index.ts'
import { apiClient } from '../harness/api-client.ts'
import { startRegisteredPhone } from '../harness/calls/edge.ts'
import {
  bellhop,
  newFolder,
  type Service,
  startService,
  until,
} from '../harness/processes/bellhop-process.ts'
import { follow } from '../harness/sip/agent.ts'
import { startPhone } from '../harness/sound/rtp-phone.ts'

const cwd = await newFolder()
const installation = { cwd, env: { BELLHOP_DATA_DIR: `${cwd}/data` } }
const CUSTOMER = '+4520304050'
const RECORDS = '+4578111111'
const REFUSES = '+4578222222'
const ASKS = '+4578333333'

let service: Service
let api: ReturnType<typeof apiClient>
let employee: string

async function json(...args: string[]) {
  const { code, stdout, stderr } = await bellhop([...args, '--json'], installation)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as Record<string, any>
}

beforeAll(async () => {
  service = await startService(installation)
  const company = (await json('company', 'create', '--name', 'Acme', '--country', 'DK')).id as string
  const person = ['--name', 'Ann', '--email', 'ann@example.com', '--password', 'correct horse battery']
  employee = (await json('employee', 'create', '--company', company, ...person)).id as string
  api = apiClient(service.url, (await json('api-key', 'create', '--employee', employee, '--name', 'x')).key)
  const add = async (number: string, incoming: object) => {
    // The Danish voice starts in a sixth of the CPU time of the English one.
    const flow = ['--incoming', JSON.stringify(incoming), '--language', 'da']
    const added = await json(
      'number',
      'add',
      '--company',
      company,
      '--number',
      number,
      '--name',
      'N',
      ...flow,
    )
    const slot = `/business_numbers/${added.id}/outside_business_hours_config`
    expect((await api.put(slot, { type: null })).status).toBe(200)
  }
  await add(RECORDS, { type: 'VoicemailConfig', greeting: 'Please leave a message.' })
  await add(ASKS, {
    type: 'PhoneMenuConfig',
    welcome: 'Press one to hear our hours, or two to leave a message.',
    menu_options: [
      { digit: '1', action_type: 'PlayMessageConfig', prompt: 'We open at nine.' },
      { digit: '2', action_type: 'VoicemailConfig', prompt: 'Please speak.' },
    ],
  })
  await add(REFUSES, { type: 'RejectConfig', message: 'We have moved.' })
})
const simulate = (to: string, ...more: string[]) =>
  json('simulate', 'call', '--from', CUSTOMER, '--to', to, ...more)

async function voicemailsOf(number: string): Promise<number> {
  const { voicemails } = (await api.get('/voicemails')).body as {
    voicemails: { from: string; main_number: string }[]
  }
  return voicemails.filter(({ from, main_number }) => from === CUSTOMER && main_number === number).length
}

const portOf = () => Number(/sip:127\.0\.0\.1:(\d+)/.exec(service.stdout())![1])

test('a simulated caller leaves a voicemail that was spoken', async () => {
  const words = ['--say', 'Hello, please call me back about the red bicycle.', '--wait', '1s']
  expect(await simulate(RECORDS, ...words)).toEqual({
    outcome: 'completed',
    heard_seconds: expect.any(Number),
    answered: true,
  })
  await until(async () => (await voicemailsOf(RECORDS)) === 1)
})

test('a simulated caller presses a key of a menu', async () => {
  await simulate(ASKS, '--press', '2', '--say', 'I would like to speak to Ann, please.', '--wait', '1s')
  await until(async () => (await voicemailsOf(ASKS)) === 1)
})

test('a simulated caller withholds the number', async () => {
  const args = ['--from', 'anonymous', '--to', REFUSES, '--wait', '0s']
  expect(await json('simulate', 'call', ...args)).toMatchObject({ outcome: 'completed' })
  await until(async () => {
    const { calls } = (await api.get('/calls?phone_number=anonymous')).body as { calls: unknown[] }
    return calls.length === 1
  })
  expect((await api.get('/inbox/anonymous/activity')).body.items).toMatchObject([{ from: 'anonymous' }])
})

test('a simulated caller hears what a number plays', async () => {
  const { outcome, heard_seconds } = await simulate(REFUSES, '--wait', '5s')
  expect(outcome).toBe('completed')
  expect(heard_seconds).toBeGreaterThan(0.3)
})

test('a call to an unknown number is rejected, and the command still succeeds', async () => {
  expect(await simulate('+4599999999')).toEqual({ outcome: 'rejected', heard_seconds: 0, answered: false })
})

test('without a service the command says so', async () => {
  const elsewhere = { cwd, env: { BELLHOP_DATA_DIR: `${cwd}/other` } }
  const args = ['simulate', 'call', '--from', CUSTOMER, '--to', RECORDS]
  const { code, stderr } = await bellhop(args, elsewhere)
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'bellhop: No edge is running: start Bellhop first, with the same settings.\n',
  })
  const secret = { cwd, env: { ...installation.env, BELLHOP_SECRET: 'x'.repeat(32) } }
  const otherInstallation = await bellhop(args, secret)
  expect(otherInstallation.code).toBe(1)
  expect(otherInstallation.stderr).toContain('does not know the simulated carrier')
})

test.each([
  ['--press', '1x', '--press must be keys of a phone'],
  ['--wait', 'long', '--wait must be a time'],
  ['--from', '20304050', '--from must be a number in E.164'],
])('%s %s is refused with one sentence', async (option, value, sentence) => {
  const args = ['simulate', 'call', '--from', CUSTOMER, '--to', RECORDS, option, value]
  const { code, stderr } = await bellhop(args, installation)
  expect(code).toBe(1)
  expect(stderr).toMatch(/^[^\n]+\.\n$/)
  expect(stderr).toContain(sentence)
})

test('an employee who places a call reaches the simulated carrier: it speaks, or it is busy', async () => {
  const device = await json('device', 'create', '--employee', employee)
  const { username, password } = device as { username: string; password: string }
  const phone = await startRegisteredPhone({ username, password, port: portOf() })
  await phone.registered()
  const sound = await startPhone()
  const dial = (number: string) => {
    const uri = { scheme: 'sip', user: username, host: '127.0.0.1', params: new Map() } as const
    return phone.agent.invite(
      { to: 'trunk', trunk: 'edge', number },
      {
        from: { uri, params: new Map() },
        body: sdpBody(sound.sdp()),
      },
    )
  }
  const busy = follow(dial('+4520110001'))
  expect(await busy.next('ended')).toMatchObject({ ending: { why: 'refused', status: 486 } })

  const call = dial('+4520112233')
  const { body } = await follow(call).next('answered')
  sound.setRemote(body!.bytes.toString())
  const isLoud = () => sound.last(200)?.some((sample) => Math.abs(sample) > 1_000)
  await vi.waitFor(() => expect(isLoud()).toBe(true), { timeout: 60_000, interval: 100 })
  call.hangUp()
  sound.close()
  await until(async () => {
    const { calls } = (await api.get('/calls?direction=outbound')).body as { calls: { state: string }[] }
    return calls.some(({ state }) => state === 'ended')
  })
})

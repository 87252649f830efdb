import { randomUUID } from 'node:crypto'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'

import { beforeAll, describe, expect, test } from 'vitest'

import { setOperator } from '../server/modules/employees/index.ts'
import { addNumber } from '../server/modules/numbers/index.ts'
import { createKeyRing } from '../server/platform/crypto/key-ring.ts'
import { decodeId } from '../server/platform/ids.ts'
import { localStorage } from '../server/providers/storage/local.ts'
import { sdpBody } from '../server/sip/index.ts'
import { createDemo } from '../server/wiring/demo.ts'
import { tellStory } from '../server/wiring/story/tell-story.ts'
import { afterFile } from './harness/after-file.ts'
import { apiClient, type ApiClient } from './harness/api-client.ts'
import { eventually } from './harness/calls/call-events.ts'
import { newDevice, startRegisteredPhone } from './harness/calls/edge.ts'
import { openPhoneSystem } from './harness/calls/phone-system.ts'
import { harness } from './harness/index.ts'
import { loudness } from './harness/sound/audio-analysis.ts'
import { startPhone } from './harness/sound/rtp-phone.ts'

const KEY = { id: '1', secret: 'x'.repeat(43) }

/** No line noise is as loud. */
const VOICE = 1_000

const doneIn = async (api: ApiClient) =>
  Object.fromEntries(
    (await api.get('/onboarding')).body.steps.map(({ step, done }: { step: string; done: boolean }) => [
      step,
      done,
    ]),
  )

const NOTHING = {
  receive_call: false,
  receive_text: false,
  add_number: false,
  invite_colleague: false,
  connect_phone: false,
}

describe('in the demo company', async () => {
  const { bellhop, edge } = await openPhoneSystem({
    SIP_SIMULATOR: 'on',
    SIP_TRUNKS: '[]',
    MESSAGE_KEYS: `${KEY.id}:${KEY.secret}`,
  })
  const story = {
    storage: localStorage(join(bellhop.dataDir, 'files')),
    texts: createKeyRing([KEY]),
    now: new Date(),
  }
  let api: ApiClient
  let anna: { companyId: string; employeeId: string }

  beforeAll(async () => {
    const { apiKey } = await bellhop.db.tx((tx) =>
      createDemo(tx, (inside, cast) => tellStory(inside, story, cast)),
    )
    api = apiClient(bellhop.url, apiKey)
    const { company, employee } = (await api.get('/session')).body
    anna = { companyId: decodeId('com', company.id)!, employeeId: decodeId('emp', employee.id)! }
  })

  test('each step is done by what really happens, and not by the week that came with the company', async () => {
    expect((await api.get('/onboarding')).body).toMatchObject({
      dismissed: false,
      demo: true,
      number: { number: '+4578900100', number_formatted: '+45 78 90 01 00' },
      number_for_texts: { number: '+4578900100' },
      simulated_calls: true,
      simulated_texts: true,
    })
    expect(await doneIn(api)).toEqual(NOTHING)

    const device = await newDevice(bellhop, anna)
    expect(await doneIn(api)).toEqual(NOTHING)
    const phone = await startRegisteredPhone({ ...device, port: edge.port })
    await phone.registered()
    expect(await doneIn(api)).toEqual({ ...NOTHING, connect_phone: true })

    expect((await api.post('/simulated_calls')).body).toEqual({ from: '+4520304050', to: '+4578900100' })
    const call = await phone.calls.take()
    call.ring()
    expect(await doneIn(api)).toMatchObject({ receive_call: false })
    const sound = await startPhone()
    sound.setRemote(call.body!.bytes.toString())
    call.accept(sdpBody(sound.sdp()))
    await eventually(async () => expect(await doneIn(api)).toMatchObject({ receive_call: true }))
    // The caller speaks, from a file that is shipped.
    await eventually(() =>
      expect(Math.max(...sound.heard.map(({ samples }) => loudness(samples)))).toBeGreaterThan(VOICE),
    )
    call.hangUp()
    sound.close()

    expect(await doneIn(api)).toMatchObject({ receive_text: false })
    await api.post('/simulated_texts')
    expect(await doneIn(api)).toMatchObject({ receive_text: true, add_number: false })

    await bellhop.db.tx((tx) => addNumber(tx, anna.companyId, { number: '+4578900300', name: 'Own' }))
    expect((await api.get('/onboarding')).body).toMatchObject({ demo: false })
    expect(await doneIn(api)).toMatchObject({ add_number: true, invite_colleague: false })

    await api.post('/employees', { name: 'Dan', email: `${randomUUID()}@example.com` })
    expect(Object.values(await doneIn(api))).toEqual([true, true, true, true, true])
  })

  test('an employee puts the list away for themselves, and can bring it back', async () => {
    const company = await bellhop.newCompany()
    const colleague = (
      await company.api.post('/employees', { name: 'Bo', email: `${randomUUID()}@example.com` })
    ).body
    const other = await bellhop.keyFor(decodeId('emp', colleague.id)!)
    expect((await company.api.put('/onboarding', { dismissed: true })).body).toMatchObject({
      dismissed: true,
    })
    expect((await company.api.put('/onboarding', { dismissed: true })).status).toBe(200)
    expect((await company.api.get('/onboarding')).body).toMatchObject({ dismissed: true })
    expect((await other.api.get('/onboarding')).body).toMatchObject({ dismissed: false })
    await company.api.put('/onboarding', { dismissed: false })
    expect((await company.api.get('/onboarding')).body).toMatchObject({ dismissed: false })
  })
})

describe('in an empty company', async () => {
  const greeted = { count: 0 }
  const smtp = createServer((socket) => {
    greeted.count++
    socket.end('554 no service\r\n')
  })
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  afterFile(() => void smtp.close())
  const bellhop = await harness({
    SIP_SIMULATOR: 'off',
    SMS_PROVIDER: 'telnyx',
    TELNYX_API_KEY: 'key',
    TELNYX_PUBLIC_KEY: `${'A'.repeat(43)}=`,
    SMTP_URL: `smtp://anna:let-me-in@127.0.0.1:${(smtp.address() as AddressInfo).port}`,
  })

  test('there is no number to call, nothing is simulated, and texts are no step without texting', async () => {
    const { api } = await bellhop.newCompany()
    expect((await api.get('/onboarding')).body).toMatchObject({
      demo: false,
      number: null,
      number_for_texts: null,
      simulated_calls: false,
      simulated_texts: false,
    })
    const { receive_text: _, ...withoutTexts } = NOTHING
    expect(await doneIn(api)).toEqual(withoutTexts)
  })

  test('what a first call lacks is read from the checks of the doctor, which are made once for many pages', async () => {
    const company = await bellhop.newCompany()
    const { api } = company
    const { body } = await api.get('/onboarding/checks')
    const statuses = body.checks.map(({ check, status, findings }: Record<string, unknown>) => [
      check,
      status,
      findings,
    ])
    expect(statuses).toEqual([
      ['trunks', 'warning', null],
      ['media-ports', 'ok', null],
      ['base-url', 'ok', null],
      ['websockets', 'warning', null],
      ['email', 'problem', null],
    ])
    const asked = greeted.count
    expect(asked).toBeGreaterThan(0)

    await bellhop.db.tx((tx) => setOperator(tx, company.employeeId, true))
    const again = (await api.get('/onboarding/checks')).body
    expect(again.checked_at).toBe(body.checked_at)
    const found = again.checks.find(({ check }: { check: string }) => check === 'email').findings
    expect(found).toEqual([
      {
        status: 'problem',
        message: expect.stringContaining('127.0.0.1'),
        action: expect.stringContaining('SMTP_URL'),
      },
    ])
    expect(JSON.stringify(again)).not.toContain('let-me-in')
    await (await bellhop.newCompany()).api.get('/onboarding/checks')
    await api.post('/onboarding/checks')
    expect(greeted.count).toBe(asked)

    bellhop.clock.advance(60_000)
    expect((await api.get('/onboarding/checks')).body.checked_at).toBe(body.checked_at)
    expect((await api.post('/onboarding/checks')).body.checked_at).not.toBe(body.checked_at)
    expect(greeted.count).toBeGreaterThan(asked)
  })
})

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { newNumber } from '../../../../test/harness/calls/telephony.ts'
import { type Harness, harness, type TestCompany } from '../../../../test/harness/index.ts'
import { analyseWav } from '../../../../test/harness/sound/wav-analysis.ts'
import { encodeId } from '../../../platform/ids.ts'

let bellhop: Harness
let company: TestCompany
let numberId: string
let path: string

beforeAll(async () => {
  bellhop = await harness()
})

beforeEach(async () => {
  company = await bellhop.newCompany()
  numberId = await newNumber(company, { incoming: { type: 'VoicemailConfig', greeting: 'Hej.' } })
  path = `/business_numbers/${encodeId('num', numberId)}`
  await put('outside_business_hours_config', { type: null })
})

const read = async () => (await company.api.get(path)).body
const put = async (slot: string, body: unknown) => (await company.api.put(`${path}/${slot}`, body)).body
const greet = (greeting: string) => put('incoming_call_config', { type: 'VoicemailConfig', greeting })

/** The audio file of the greeting, without the signature that changes every time; null while there is none. */
const greetingFile = async () => {
  const { greeting_audio_url } = (await read()).incoming_call_config
  return greeting_audio_url && new URL(greeting_audio_url).pathname
}

const storedFiles = async () =>
  (await readdir(join(bellhop.dataDir, 'files/prompts', numberId))).map(
    (name) => `/files/prompts/${numberId}/${name}`,
  )

const jobsWaiting = () => bellhop.db.sql`select task_identifier, attempts from graphile_worker.jobs`

/** As a browser's audio player does: with the URL only. */
async function play(url: string): Promise<Buffer> {
  const response = await fetch(url)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('audio/wav')
  return Buffer.from(await response.arrayBuffer())
}

function expectSpeech(wav: Buffer, text: string) {
  const heard = analyseWav(wav)
  const secondsPerCharacter = heard.seconds / text.length
  expect(secondsPerCharacter).toBeGreaterThan(0.04)
  expect(secondsPerCharacter).toBeLessThan(0.12)
  expect(heard.level).toBeGreaterThan(0.05)
  expect(heard.loudnessSpreadDb).toBeGreaterThan(4)
  expect(heard.timbreSpreadHz).toBeGreaterThan(300)
}

describe('the audio of a greeting', () => {
  test.each([
    [
      'da',
      'Velkommen til Nordlys. Vi har desværre lukket, men læg en besked, så ringer vi tilbage i morgen.',
    ],
    ['en', 'Welcome to Nordlys. We are closed at the moment, but leave a message and we will call you back.'],
  ])(
    'in the language %s is null until it is synthesised, and then plays without a credential',
    async (language, greeting) => {
      await company.api.patch(path, { language })
      expect((await greet(greeting)).incoming_call_config).toEqual({
        type: 'VoicemailConfig',
        greeting,
        greeting_audio_url: null,
      })
      await bellhop.drainJobs()
      const { greeting_audio_url } = (await read()).incoming_call_config
      expect(greeting_audio_url).toMatch(`${bellhop.url}/files/`)
      expectSpeech(await play(greeting_audio_url), greeting)
    },
  )

  test('sounds different in another language', async () => {
    await greet('Information 112')
    await bellhop.drainJobs()
    const danish = await play((await read()).incoming_call_config.greeting_audio_url)
    await company.api.patch(path, { language: 'de' })
    await bellhop.drainJobs()
    const german = await play((await read()).incoming_call_config.greeting_audio_url)
    expect(german.equals(danish)).toBe(false)
  })

  test('stays the same file when neither text nor language changes', async () => {
    await bellhop.drainJobs()
    const before = await greetingFile()
    expect(before).toEqual(expect.any(String))
    await company.api.patch(path, { name: 'Renamed', language: 'da', timezone: 'Europe/Berlin' })
    await greet('Hej.')
    await put('no_answer_config', { type: 'RejectConfig', message: 'Farvel.', timeout_secs: 30 })
    expect(await greetingFile()).toBe(before)
    await bellhop.drainJobs()
    expect(await greetingFile()).toBe(before)
    expect(await storedFiles()).toContain(before)
  })

  test.each([
    ['text', () => greet('Goddag.')],
    ['language', () => company.api.patch(path, { language: 'sv' })],
  ])('is synthesised again when the %s changes, and the old file is deleted', async (_, change) => {
    await bellhop.drainJobs()
    const before = await greetingFile()
    expect(await storedFiles()).toEqual([before])
    await change()
    expect(await greetingFile()).toBeNull()
    // Callers hear it until there is another.
    expect(await storedFiles()).toEqual([before])
    await bellhop.drainJobs()
    const after = await greetingFile()
    expect(after).toEqual(expect.any(String))
    expect(after).not.toBe(before)
    expect(await storedFiles()).toEqual([after])
  })

  test('is synthesised only for the last of several texts', async () => {
    await bellhop.drainJobs()
    for (const greeting of ['Et.', 'To.', 'Tre.']) await greet(greeting)
    await bellhop.drainJobs()
    expect(await storedFiles()).toEqual([await greetingFile()])
  })

  test('is one file even if two workers synthesise it concurrently', async () => {
    await bellhop.drainJobs()
    for (const greeting of ['Samme tekst.', 'En anden.', 'Samme tekst.']) await greet(greeting)
    await Promise.all([bellhop.drainJobs(), bellhop.drainJobs()])
    expect(await storedFiles()).toEqual([await greetingFile()])
  })

  test('is deleted with its slot, but not while another slot has the same text', async () => {
    const flow = { type: 'VoicemailConfig', greeting: 'Hej.' }
    await put('no_answer_config', flow)
    await bellhop.drainJobs()
    const file = await greetingFile()
    expect(new URL((await read()).no_answer_config.greeting_audio_url).pathname).toBe(file)
    await put('no_answer_config', { type: null })
    await bellhop.drainJobs()
    expect(await storedFiles()).toEqual([file])
    await put('incoming_call_config', {
      type: 'TransferConfig',
      employee_ids: [encodeId('emp', company.employeeId)],
    })
    await bellhop.drainJobs()
    expect(await storedFiles()).toEqual([])
  })

  test('is not synthesised for a refused request', async () => {
    await bellhop.drainJobs()
    const before = await greetingFile()
    const refused = { type: 'VoicemailConfig', greeting: 'Nej.', timeout_secs: 7 }
    expect((await company.api.put(`${path}/no_answer_config`, refused)).status).toBe(422)
    await bellhop.drainJobs()
    expect(await storedFiles()).toEqual([before])
  })
})

test('a text that cannot be synthesised is tried once, has no audio, and does not affect the others', async () => {
  await company.api.patch(path, { language: 'en' })
  // Letters of the Latin script, for clicks that English does not have.
  await greet('ǀǁǂǃ')
  await put('no_answer_config', { type: 'RejectConfig', message: 'Goodbye.' })
  await bellhop.drainJobs()
  expect(await jobsWaiting()).toEqual([])
  expect(await greetingFile()).toBeNull()
  expect((await read()).no_answer_config.message_audio_url).toEqual(expect.any(String))
  await greet('Hello.')
  await bellhop.drainJobs()
  expect(await greetingFile()).toEqual(expect.any(String))
})

describe('a text that the voice cannot say', () => {
  const IN_DANISH = 'cannot be spoken in Danish (da), the language of the number'

  test.each([
    ['incoming_call_config', { type: 'VoicemailConfig', greeting: '你好' }, 'greeting'],
    ['outside_business_hours_config', { type: 'RejectConfig', message: '你好 2' }, 'message'],
    ['outside_business_hours_config', { type: 'RejectConfig', message: 'Привет!' }, 'message'],
    ['no_answer_config', { type: 'VoicemailConfig', greeting: 'สวัสดี', timeout_secs: 15 }, 'greeting'],
  ])('is refused in %s: %o', async (slot, flow, field) => {
    const before = await read()
    const { status, body } = await company.api.put(`${path}/${slot}`, flow)
    expect({ status, errors: body.errors }).toEqual({ status: 422, errors: { [field]: [IN_DANISH] } })
    expect(await read()).toEqual(before)
  })

  test('is refused in a menu, which names each of them', async () => {
    const menu = {
      type: 'PhoneMenuConfig',
      welcome: '欢迎',
      menu_options: [
        { digit: '1', action_type: 'VoicemailConfig', prompt: 'Læg en besked.' },
        { digit: '2', action_type: 'PlayMessageConfig', prompt: '再见' },
      ],
    }
    const { status, body } = await company.api.put(`${path}/incoming_call_config`, menu)
    expect(status).toBe(422)
    expect(body.errors).toEqual({ welcome: [IN_DANISH], 'menu_options.1.prompt': [IN_DANISH] })
  })

  test('is refused under the older names and when a number is added', async () => {
    const older = path.replace('business_numbers', 'main_numbers')
    const flow = { type: 'VoicemailConfig', greeting: '你好' } as const
    expect((await company.api.put(`${older}/incoming_call_config`, flow)).status).toBe(422)
    await expect(newNumber(company, { incoming: flow })).rejects.toMatchObject({ status: 422 })
  })

  test.each(['Hej, 你好', 'Καλημέρα', '42'])('%s is not one in Danish', async (greeting) => {
    expect((await greet(greeting)).incoming_call_config).toMatchObject({ greeting })
  })

  test('is refused as a language too', async () => {
    await company.api.patch(path, { language: 'cmn' })
    await greet('你好')
    const { status, body } = await company.api.patch(path, { language: 'en' })
    expect(status).toBe(422)
    expect(body.errors.language).toEqual([expect.stringMatching(/^is English \(en\), .*你好$/)])
    expect((await read()).language).toBe('cmn')
  })
})

test('every text of every slot is synthesised, including those of a menu', async () => {
  const employee_ids = [encodeId('emp', company.employeeId)]
  await put('incoming_call_config', {
    type: 'PhoneMenuConfig',
    welcome: 'Velkommen til menuen.',
    menu_options: [
      { digit: '1', action_type: 'TransferConfig', employee_ids },
      {
        digit: '2',
        action_type: 'WelcomeTransferConfig',
        prompt: 'Et øjeblik, vi stiller om.',
        employee_ids,
      },
      { digit: '3', action_type: 'VoicemailConfig', prompt: 'Læg en besked efter tonen.' },
      { digit: '4', action_type: 'PlayMessageConfig', prompt: 'Vi åbner igen på mandag.' },
    ],
  })
  await put('outside_business_hours_config', { type: 'RejectConfig', message: 'Vi har desværre lukket nu.' })
  await put('no_answer_config', {
    type: 'WelcomeTransferConfig',
    welcome: 'Vi prøver en kollega.',
    employee_ids,
  })
  await bellhop.drainJobs()
  const { incoming_call_config, outside_business_hours_config, no_answer_config } = await read()
  const [transfer, ...spoken] = incoming_call_config.menu_options
  expect(transfer).toMatchObject({ prompt: null, prompt_audio_url: null })
  const audio: [text: string, url: string][] = [
    [incoming_call_config.welcome, incoming_call_config.welcome_audio_url],
    [outside_business_hours_config.message, outside_business_hours_config.message_audio_url],
    [no_answer_config.welcome, no_answer_config.welcome_audio_url],
    ...spoken.map((option: any) => [option.prompt, option.prompt_audio_url]),
  ]
  expect(audio).toHaveLength(6)
  for (const [text, url] of audio) expectSpeech(await play(url), text)
  expect(new Set(audio.map(([, url]) => new URL(url).pathname)).size).toBe(6)
  expect(await storedFiles()).toHaveLength(6)
})

test('an audio URL with a wrong signature, or an expired one, is refused', async () => {
  await bellhop.drainJobs()
  const { greeting_audio_url } = (await read()).incoming_call_config
  const forged = new URL(greeting_audio_url)
  forged.searchParams.set('expires', String(Number(forged.searchParams.get('expires')) + 1))
  expect((await fetch(forged)).status).toBe(403)
  bellhop.clock.advance(60 * 60 * 1000 + 1000)
  expect((await fetch(greeting_audio_url)).status).toBe(403)
  await play((await read()).incoming_call_config.greeting_audio_url)
})

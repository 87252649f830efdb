import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { beforeAll, beforeEach, expect, test } from 'vitest'

import { newNumber } from '../../../../test/harness/calls/telephony.ts'
import { type Harness, harness, type TestCompany } from '../../../../test/harness/index.ts'
import { keepOwnGreetings } from '../../../../test/harness/share-greetings.ts'
import { encodeId } from '../../../platform/ids.ts'
import { SPEECH_LANGUAGES } from '../../../speech/languages.ts'
import { canSay } from '../../../speech/port.ts'
import { defaultGreeting } from '../flow/default-greeting.ts'
import { recordingAnnouncement } from './announcement-texts.ts'

let bellhop: Harness
let company: TestCompany
let path: string

beforeAll(async () => {
  bellhop = await harness()
  await keepOwnGreetings(bellhop.dataDir)
})

beforeEach(async () => {
  company = await bellhop.newCompany()
  path = `/business_numbers/${encodeId('num', await newNumber(company, { mute: true }))}`
})

const storedTexts = () => readdir(join(bellhop.dataDir, 'files/greetings')).catch(() => [])

test('a number says nothing about its recordings until it is set to', async () => {
  const announcement = 'Samtalen bliver optaget.'
  expect((await company.api.get(`${path}/recording_notice`)).body).toEqual({ notice: 'none', announcement })
  for (const notice of ['beep', 'announcement', 'none']) {
    const set = await company.api.put(`${path}/recording_notice`, { notice })
    expect(set).toMatchObject({ status: 200, body: { notice, announcement } })
    expect((await company.api.get(`${path}/recording_notice`)).body).toEqual({ notice, announcement })
  }
})

test('the setting is not part of the business number, whose fields are those of the contract', async () => {
  await company.api.put(`${path}/recording_notice`, { notice: 'beep' })
  expect(Object.keys((await company.api.get(path)).body)).not.toContain('recording_notice')
})

test('anything else is refused, and the number of another company is unknown', async () => {
  for (const body of [{}, { notice: null }, { notice: 'loud' }])
    expect(await company.api.put(`${path}/recording_notice`, body)).toMatchObject({
      status: 422,
      body: { errors: { notice: [expect.any(String)] } },
    })
  const stranger = await bellhop.newCompany()
  expect((await stranger.api.get(`${path}/recording_notice`)).status).toBe(404)
  expect((await stranger.api.put(`${path}/recording_notice`, { notice: 'beep' })).status).toBe(404)
})

test('the announcement is synthesised when it is set, and again in another language, once for all numbers', async () => {
  await bellhop.drainJobs()
  const before = (await storedTexts()).length
  const stored = async () => {
    await bellhop.drainJobs()
    return (await storedTexts()).length - before
  }
  await company.api.patch(path, { language: 'nb' })
  await company.api.put(`${path}/recording_notice`, { notice: 'beep' })
  expect(await stored()).toBe(0)
  await company.api.put(`${path}/recording_notice`, { notice: 'announcement' })
  expect(await stored()).toBe(1)
  const other = `/business_numbers/${encodeId('num', await newNumber(company, { mute: true }))}`
  await company.api.patch(other, { language: 'nb' })
  await company.api.put(`${other}/recording_notice`, { notice: 'announcement' })
  expect(await stored()).toBe(1)
  await company.api.patch(path, { language: 'de' })
  expect(await stored()).toBe(2)
  expect((await company.api.get(`${path}/recording_notice`)).body.announcement).toBe(
    'Dieses Gespräch wird aufgezeichnet.',
  )
})

test('every voice can say it, in the language of its default greeting', () => {
  const english = recordingAnnouncement('en')
  for (const language of SPEECH_LANGUAGES) {
    expect(canSay(language, recordingAnnouncement(language)), language).toBe(true)
    const hasOwn = recordingAnnouncement(language) !== english
    expect(hasOwn, language).toBe(defaultGreeting(language) !== defaultGreeting('en'))
  }
})

import { beforeAll, expect, test } from 'vitest'

import { newNumber } from '../../../../test/harness/calls/telephony.ts'
import { type Harness, harness, type TestCompany } from '../../../../test/harness/index.ts'
import { analyseWav } from '../../../../test/harness/sound/wav-analysis.ts'
import { encodeId } from '../../../platform/ids.ts'
import { LANGUAGE_ALIASES, SPEECH_LANGUAGES } from '../../../speech/languages.ts'

/** Constructed languages, and two in a script that their voice cannot read. */
const GREETED_IN_ENGLISH = ['en', 'hak', 'py', 'qdb', 'qya', 'shn', 'xex']

let bellhop: Harness
let company: TestCompany

beforeAll(async () => {
  bellhop = await harness()
  company = await bellhop.newCompany()
})

test('a new number has an audible greeting in its own language, for every language', async () => {
  const ids = new Map<string, string>()
  for (const language of [...SPEECH_LANGUAGES, ...Object.keys(LANGUAGE_ALIASES)])
    ids.set(language, await newNumber(company, { language }))
  await bellhop.drainJobs()

  const inEnglish: string[] = []
  for (const [language, id] of ids) {
    const { body } = await company.api.get(`/business_numbers/${encodeId('num', id)}`)
    const { type, greeting, greeting_audio_url } = body.outside_business_hours_config
    expect(type).toBe('VoicemailConfig')
    if (greeting.startsWith('Thank you for calling.')) inEnglish.push(language)
    const heard = analyseWav(Buffer.from(await (await fetch(greeting_audio_url)).arrayBuffer()))
    expect(heard.seconds, language).toBeGreaterThan(4)
    expect(heard.level, language).toBeGreaterThan(0.05)
    expect(heard.loudnessSpreadDb, language).toBeGreaterThan(4)
    // A voice that cannot read a script spells it letter by letter.
    if (!GREETED_IN_ENGLISH.includes(language)) expect(heard.seconds, language).toBeLessThan(25)
  }
  expect(inEnglish).toEqual(GREETED_IN_ENGLISH)
})

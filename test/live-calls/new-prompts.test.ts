import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { encodeWav, SPEECH_SAMPLE_RATE } from '../../server/speech/embedded/wav.ts'
import type { Synthesiser } from '../../server/speech/port.ts'
import { callIs, eventually } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { keepOwnGreetings } from '../harness/share-greetings.ts'
import { sharedSpeaker } from '../harness/shared-speaker.ts'
import { loudness, toneShare } from '../harness/sound/audio-analysis.ts'

/** The edge's engine takes as long as a test wants it to. */
let ready = Promise.resolve()
let getReady = () => {}
const speaker: Synthesiser = {
  ...sharedSpeaker(),
  async speak(request) {
    await ready
    return sharedSpeaker().speak(request)
  },
}
const { bellhop, dial } = await openPhoneSystem({}, { speaker })
await keepOwnGreetings(bellhop.dataDir)

/** Replaces all audio in this folder by a tone, so that a test can tell by its pitch what a caller hears. */
async function retune(folder: string, hz: number): Promise<void> {
  const tone = Float32Array.from({ length: SPEECH_SAMPLE_RATE * 4 }, (_, i) =>
    Math.sin((2 * Math.PI * hz * i) / SPEECH_SAMPLE_RATE),
  )
  const path = join(bellhop.dataDir, 'files', folder)
  const names = await readdir(path)
  expect(names).not.toEqual([])
  for (const name of names) await writeFile(join(path, name), encodeWav(tone)!)
}

const greet = (greeting: string) => ({ type: 'VoicemailConfig', greeting })

test('until a new greeting has audio, callers hear the last one', async () => {
  const company = await bellhop.newCompany()
  const { id, uuid, number } = await numberWith(bellhop, company, greet('Hej.'))
  await bellhop.drainJobs()
  await retune(`prompts/${uuid}`, 1_000)
  await retune('greetings', 1_300)
  for (const greeting of ['Goddag.', 'Davs.']) {
    await company.api.put(`/business_numbers/${id}/incoming_call_config`, greet(greeting))
    const caller = await dial(number)
    await caller.connected()
    await caller.hears(1_000)
    caller.hangUp()
    await callIs(company, 'ended')
  }
})

test.each([
  ['RejectConfig', { message: 'Vi har lukket.' }],
  ['VoicemailConfig', { greeting: 'Læg en besked.' }],
  ['PhoneMenuConfig', { welcome: 'Tryk 1.', menu_options: [menuOption()] }],
])('a %s that never had audio is replaced by the default greeting', async (type, texts) => {
  const company = await bellhop.newCompany()
  await numberWith(bellhop, company, { type: 'RejectConfig', message: 'Hej.' })
  await bellhop.drainJobs()
  await retune('greetings', 1_300)
  const { number } = await numberWith(bellhop, company, { type, ...texts })
  const caller = await dial(number)
  await caller.connected()
  await caller.hears(1_300)
})

function menuOption() {
  return { digit: '1', action_type: 'PlayMessageConfig', prompt: 'Farvel.' }
}

/** How many; the folder is made with the first. */
const storedGreetings = async () =>
  (await readdir(join(bellhop.dataDir, 'files/greetings')).catch(() => [])).length

test('if not even the default greeting is stored, the edge synthesises it, also without a worker', async () => {
  const before = await storedGreetings()
  ready = new Promise((resolve) => (getReady = resolve))
  const company = await bellhop.newCompany()
  const flow = { type: 'VoicemailConfig', greeting: 'Hei.' }
  const { number } = await numberWith(bellhop, company, flow, { language: 'fi' })
  const caller = await dial(number)
  await caller.connected()
  await caller.hears(425)
  getReady()
  await callIs(company, 'playing_audio')
  await eventually(async () => expect(await storedGreetings()).toBe(before + 1))
  const from = caller.heard.length
  await caller.until('speech', () => {
    const sound = caller.last(400, from)
    return sound && loudness(sound) > 500 && toneShare(sound, 425) < 0.1
  })
  caller.hangUp()
  await callIs(company, 'ended')
  await retune('greetings', 1_300)
  const next = await dial(number)
  await next.connected()
  await next.hears(1_300)
})

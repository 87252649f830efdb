import { beforeAll, describe, expect, test } from 'vitest'

import { encodeId } from '../server/platform/ids.ts'
import type { WalkThrough } from '../web/api/numbers.ts'
import { soundOf, startWalk, stepWalk, type Walk, type WalkInput } from '../web/pages/numbers/walk/walk.ts'
import { newNumber } from './harness/calls/telephony.ts'
import { type Harness, harness, type TestCompany } from './harness/index.ts'
import { analyseWav } from './harness/sound/wav-analysis.ts'

let bellhop: Harness
let company: TestCompany
let number: string

const read = async (when = 'open'): Promise<WalkThrough> =>
  (await company.api.get(`${number}/walk_through?when=${when}`)).body

beforeAll(async () => {
  bellhop = await harness()
  company = await bellhop.newCompany()
  const employee = encodeId('emp', company.employeeId)
  number = `/business_numbers/${encodeId('num', await newNumber(company, { language: 'da' }))}`
  await company.api.put(`${number}/incoming_call_config`, {
    type: 'PhoneMenuConfig',
    welcome: 'Tast 1 for salg.',
    menu_options: [
      { digit: '1', action_type: 'WelcomeTransferConfig', prompt: 'Salg.', employee_ids: [employee] },
      { digit: '2', action_type: 'VoicemailConfig', prompt: 'Læg en besked.' },
      { digit: '3', action_type: 'PlayMessageConfig', prompt: 'Vi bor på havnen.' },
      { digit: '4', action_type: 'TransferConfig', employee_ids: [employee] },
    ],
  })
  await company.api.put(`${number}/outside_business_hours_config`, {
    type: 'RejectConfig',
    message: 'Lukket.',
  })
  await company.api.put(`${number}/no_answer_config`, {
    type: 'VoicemailConfig',
    greeting: 'Ingen svarer.',
    timeout_secs: 30,
  })
  await company.api.patch(number, { recording_enabled: true, wait_audio: 'music' })
  await company.api.put(`${number}/recording_notice`, { notice: 'announcement' })
  await bellhop.drainJobs()
})

const PLAYED: WalkInput = { on: 'played' }
const key = (digit: string): WalkInput => ({ on: 'key', digit })
const follow = (through: WalkThrough, inputs: WalkInput[], walk = startWalk(through)): Walk =>
  inputs.reduce((walk, input) => stepWalk(through, walk, input), walk)
const captions = ({ heard, ...walk }: Walk) => [
  ...heard.map((each) => ('text' in each ? each.text : 'digit' in each ? each.digit : each.is)),
  ...(walk.in === 'end' ? [walk.why] : []),
]

describe('a walk through a call takes the ways of a caller', () => {
  test('who is greeted, told of the recording, rings, and leaves a message when nobody answers', async () => {
    const through = await read()
    const walk = follow(through, [PLAYED, key('1'), PLAYED, PLAYED, { on: 'noAnswer' }, PLAYED, PLAYED])
    expect(captions(walk)).toEqual([
      'Tast 1 for salg.',
      '1',
      'Salg.',
      'Samtalen bliver optaget.',
      'ringing',
      'noAnswer',
      'Ingen svarer.',
      'beep',
    ])
    expect(captions(stepWalk(through, walk, { on: 'hangUp' })).at(-1)).toBe('hungUp')
  })

  test('who presses before the menu has ended, presses a key without meaning, or presses nothing', async () => {
    const through = await read()
    expect(captions(follow(through, [key('3'), PLAYED]))).toEqual([
      'Tast 1 for salg.',
      '3',
      'Vi bor på havnen.',
      'hungUp',
    ])
    // Three prompts, as in a call; then as if nobody had answered.
    expect(
      captions(follow(through, [key('9'), PLAYED, { on: 'silence' }, PLAYED, { on: 'silence' }])),
    ).toEqual([
      'Tast 1 for salg.',
      '9',
      'Tast 1 for salg.',
      'silence',
      'Tast 1 for salg.',
      'silence',
      'Ingen svarer.',
    ])
    expect(captions(follow(through, [key('4'), PLAYED, { on: 'answered' }])).at(-1)).toBe('answered')
  })

  test('from one branch on, outside business hours, and in the flow for no answer', async () => {
    const through = await read()
    expect(captions(startWalk(through, { digit: '2' }))).toEqual(['Tast 1 for salg.', '2', 'Læg en besked.'])
    expect(captions(startWalk(through, { atNoAnswer: true }))).toEqual(['Ingen svarer.'])
    const closed = await read('closed')
    expect(closed.hours).toBe('closed')
    expect(captions(follow(closed, [PLAYED]))).toEqual(['Lukket.', 'hungUp'])
  })
})

test('the sounds of a walk are those of the service: speech, hold music or ringback, and the tone', async () => {
  const through = await read()
  const heard = async (walk: Walk) => {
    const { url } = soundOf(through, walk)!
    return analyseWav(Buffer.from(await (await fetch(url!)).arrayBuffer()))
  }
  expect((await heard(startWalk(through))).seconds).toBeGreaterThan(0.5)
  const ringing = follow(through, [key('4'), PLAYED])
  expect(soundOf(through, ringing)).toMatchObject({ loops: true })
  expect((await heard(ringing)).seconds).toBeGreaterThan(10)
  const beep = follow(through, [key('2'), PLAYED])
  expect((await heard(beep)).seconds).toBeCloseTo(0.4, 1)
})

test('a text whose audio is not made yet is shown with what callers hear meanwhile', async () => {
  await company.api.put(`${number}/outside_business_hours_config`, {
    type: 'RejectConfig',
    message: 'Ferie.',
  })
  const [first] = (await read('closed')).steps
  expect(first).toMatchObject({
    kind: 'say',
    speech: { text: 'Ferie.', is_stand_in: true, audio_url: expect.any(String) },
  })
  await bellhop.drainJobs()
  expect((await read('closed')).steps[0]).toMatchObject({ speech: { is_stand_in: false } })
})

const setHours = (open: boolean) =>
  company.api.put(`${number}/outside_business_hours_config`, {
    type: 'RejectConfig',
    message: 'Ferie.',
    business_hours: [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
      day_of_week,
      open,
      opening_at: '00:00',
      closing_at: '24:00',
    })),
  })

test('now follows the business hours', async () => {
  await setHours(true)
  const open = await read('now')
  expect([open.hours, open.steps[0]!.kind]).toEqual(['open', 'menu'])
  await setHours(false)
  const closed = await read('now')
  expect([closed.hours, closed.steps[0]!.kind]).toEqual(['closed', 'say'])
})

test('another company cannot walk through it', async () => {
  const other = await bellhop.newCompany()
  expect((await other.api.get(`${number}/walk_through`)).status).toBe(404)
})

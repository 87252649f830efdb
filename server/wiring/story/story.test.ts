import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { beforeAll, describe, expect, test } from 'vitest'

import { apiClient, type ApiClient } from '../../../test/harness/api-client.ts'
import { type Harness, harness } from '../../../test/harness/index.ts'
import { createKeyRing } from '../../platform/crypto/key-ring.ts'
import { localStorage } from '../../providers/storage/local.ts'
import { createDemo } from '../demo.ts'
import { tellStory } from './tell-story.ts'
import { earlierToday, workingDaysBefore } from './working-days.ts'

const TIMEZONE = 'Europe/Copenhagen'
const KEY = { id: '1', secret: 'x'.repeat(43) }

describe('the demo company', () => {
  let bellhop: Harness
  let api: ApiClient
  let cpuMs: number

  beforeAll(async () => {
    bellhop = await harness({ MESSAGE_KEYS: `${KEY.id}:${KEY.secret}` })
    const story = {
      storage: localStorage(join(bellhop.dataDir, 'files')),
      texts: createKeyRing([KEY]),
      now: new Date(),
    }
    const before = process.cpuUsage()
    const { apiKey } = await bellhop.db.tx((tx) =>
      createDemo(tx, (inside, cast) => tellStory(inside, story, cast)),
    )
    const { user, system } = process.cpuUsage(before)
    cpuMs = (user + system) / 1000
    api = apiClient(bellhop.url, apiKey)
  })

  test('has a week of calls, with recordings and transcripts, and ends with a missed call of today', async () => {
    const { calls } = (await api.get('/calls?limit=100')).body
    const times = calls.map((call: { started_at: string }) => call.started_at)
    expect(times).toEqual(times.toSorted().toReversed())
    expect(new Date(times[0]).getTime()).toBeLessThan(Date.now())
    expect(calls[0]).toMatchObject({
      contact_name: 'Havnens Kaffebar',
      answered_at: null,
      recording_url: null,
    })
    const sinceMidnight = workingDaysBefore(TIMEZONE, new Date(), 0, '00:00').getTime()
    expect(new Date(times[0]).getTime()).toBeGreaterThanOrEqual(sinceMidnight)

    const recorded = calls.filter((call: { recording_url: string | null }) => call.recording_url)
    expect(recorded).toHaveLength(3)
    const found = (await api.get('/calls?query=helmets%20large')).body.calls
    expect(found).toMatchObject([{ contact_name: 'Elin Berg', wrap_up: { note: expect.any(String) } }])
    for (const call of recorded) {
      const { body } = await api.get(`/calls/${call.id}`)
      expect(body).toMatchObject({ transcription_status: 'done', summary: expect.stringMatching(/\w/) })
      expect(body.wrap_up).toMatchObject({ outcome: 'resolved', author: body.employees[0] })
      expect(body.transcription_segments.map((turn: { start_ms: number }) => turn.start_ms)[0]).toBe(0)
      const sound = await fetch(body.recording_url)
      expect(sound.status).toBe(200)
      const bytes = Buffer.from(await sound.arrayBuffer())
      const seconds = (bytes.length - 44) / (8000 * 4)
      expect(body.duration).toBe(Math.round(seconds))
      expect(loudest(bytes)).toEqual([expect.any(Number), expect.any(Number)])
      for (const level of loudest(bytes)) expect(level).toBeGreaterThan(3_000)
    }
  })

  test('has two voicemails, one of them new, and texts that were delivered', async () => {
    const { unlistened_count, voicemails } = (await api.get('/voicemails')).body
    expect(unlistened_count).toBe(1)
    expect(voicemails.map(({ from, transcription }: any) => [from, transcription.slice(0, 8)])).toEqual([
      ['+4527384950', 'Hi, my n'],
      ['+4542526272', 'Good aft'],
    ])
    const { items } = (await api.get(`/inbox/${encodeURIComponent('+4531415161')}/activity`)).body
    expect(items.map(({ type }: any) => type)).toEqual(['message', 'message', 'call', 'call'])
    expect(items[0]).toMatchObject({
      status: 'delivered',
      text: 'Yes, two kinds. I have put a pair aside for you.',
    })
  })

  test('shows in the inbox what nobody has seen yet, in the order of the week', async () => {
    const { threads } = (await api.get('/inbox')).body
    expect(threads.map(({ phone_number, unseen_count }: any) => [phone_number, unseen_count])).toEqual([
      ['+4542526272', 1],
      ['+4527384950', 1],
      ['+4520304050', 1],
      ['+46701234567', 0],
      ['+4531415161', 0],
    ])
    const times = threads.map(({ last_activity_at }: any) => Date.parse(last_activity_at))
    expect(times.every((time: number) => time < Date.now())).toBe(true)
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(12 * 60 * 60 * 1000)
  })

  test('records its calls, and what happens next arrives now', async () => {
    const numbers = (await api.get('/business_numbers')).body.main_numbers
    for (const { id } of numbers)
      expect((await api.get(`/business_numbers/${id}`)).body.recording_enabled).toBe(true)
    expect(numbers).toHaveLength(2)
    const before = Date.now()
    await bellhop.db.sql`
      insert into calls (company_id, business_number_id, direction, remote_number, state)
      select company_id, id, 'inbound', '+4531415161', 'ended' from business_numbers where name = 'Shop'`
    const [first] = (await api.get('/inbox')).body.threads
    expect(first.phone_number).toBe('+4531415161')
    expect(Date.parse(first.last_activity_at)).toBeGreaterThanOrEqual(before - 1)
  })

  test('is made in less than a second of CPU time', () => {
    expect(cpuMs).toBeLessThan(1_000)
  })
})

/** The loudest sample of each of two channels. */
function loudest(wav: Buffer): [number, number] {
  const levels: [number, number] = [0, 0]
  for (let at = 44; at + 3 < wav.length; at += 4) {
    levels[0] = Math.max(levels[0], Math.abs(wav.readInt16LE(at)))
    levels[1] = Math.max(levels[1], Math.abs(wav.readInt16LE(at + 2)))
  }
  return levels
}

describe('the times', () => {
  test.each([
    // A Monday: the working day before is Friday.
    ['2026-11-16T09:30:00Z', 1, '16:35', '2026-11-13T15:35:00.000Z'],
    // The clocks went back on the Sunday between.
    ['2026-10-26T12:00:00Z', 1, '09:30', '2026-10-23T07:30:00.000Z'],
    ['2026-11-18T23:30:00Z', 5, '10:12', '2026-11-12T09:12:00.000Z'],
  ])('at %s, %i working days ago at %s was %s', (now, days, time, expected) => {
    expect(workingDaysBefore(TIMEZONE, new Date(now), days, time).toISOString()).toBe(expected)
  })

  test.each([
    ['2026-11-18T12:00:00Z', '2026-11-18T11:35:00.000Z'],
    ['2026-11-18T20:00:00Z', '2026-11-18T15:40:00.000Z'],
    ['2026-11-17T23:10:00Z', '2026-11-17T23:00:00.000Z'],
  ])('the missed call before %s is at %s: today, in the past, and before closing time', (now, expected) => {
    expect(earlierToday(TIMEZONE, new Date(now), 25, '16:40').toISOString()).toBe(expected)
  })

  test('every conversation has its sound', async () => {
    const times = JSON.parse(await readFile(join(import.meta.dirname, 'sounds/turns.json'), 'utf8'))
    const { SPOKEN } = await import('./conversations.ts')
    expect(
      Object.fromEntries(Object.entries<any[]>(times).map(([name, turns]) => [name, turns.length])),
    ).toEqual(Object.fromEntries(Object.entries(SPOKEN).map(([name, turns]) => [name, turns.length])))
  })
})

import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test, vi } from 'vitest'

import { callIs, eventually, followCallEvents } from '../harness/calls/call-events.ts'
import { CUSTOMER, numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { channelsOf, stretches, toneShareInParts } from '../harness/sound/audio-analysis.ts'
import { sounds } from '../harness/sound/spoken-english.ts'

const { bellhop, dial } = await openPhoneSystem({ BELLHOP_WEBHOOKS_ALLOW_INSECURE: '1' })
const PATIENCE = { timeout: 60_000 }

/** A company whose number takes voicemails. */
async function newMailbox() {
  const company = await bellhop.newCompany()
  const told = await followCallEvents(bellhop, company)
  const flow = { type: 'VoicemailConfig', greeting: 'Leave a word.' }
  const { number } = await numberWith(bellhop, company, flow)
  await bellhop.drainJobs()
  return {
    company,
    number,
    told: async () => (await told()).map(({ event }) => event),
    voicemails: async () => (await company.api.get('/voicemails')).body.voicemails,
    async dial(from?: string) {
      const caller = await dial(number, from === undefined ? {} : { from })
      await caller.connected()
      return caller
    },
  }
}

const spool = join(bellhop.dataDir, 'spool')

const spooledSounds = async () =>
  (await readdir(spool, { recursive: true })).filter((name) => name.endsWith('.wav'))

/** This much of the current voicemail is on disk. */
function isRecorded(seconds: number): Promise<void> {
  return vi.waitFor(
    async () => {
      const names = await spooledSounds()
      expect(names).toHaveLength(1)
      expect((await stat(join(spool, names[0]!))).size).toBeGreaterThanOrEqual(44 + seconds * 16_000)
    },
    { ...PATIENCE, interval: 20 },
  )
}

/** Two seconds of a sentence. */
const SAID = sounds[3]!.subarray(0, 16_000)

const LEFT = ['call.initiated', 'voicemail.new', 'call.ended']
const LOST = ['call.initiated', 'call.ended', 'call.lost']

test('a voicemail contains what the caller says after the beep; the call is not lost', async () => {
  const { company, number, dial, told, voicemails } = await newMailbox()
  const caller = await dial()
  await callIs(company, 'recording')
  await isRecorded(3.5)
  caller.hangUp()
  const call = await callIs(company, 'ended')
  expect((await company.api.get('/voicemails')).body.unlistened_count).toBe(1)
  const [voicemail, ...others] = await voicemails()
  expect(voicemail).toMatchObject({ from: CUSTOMER, transcription: null, main_number: number })
  expect(others).toEqual([])
  const recording = await fetch(voicemail.recording_url)
  const [sound] = channelsOf(Buffer.from(await recording.arrayBuffer()))
  // On a busy machine some packets of the caller are late, but not most of them.
  const shares = stretches(sound!.subarray(4_000)).map((part) => toneShareInParts(part, 440))
  expect(shares.toSorted((a, b) => a - b)[Math.floor(shares.length / 2)]).toBeGreaterThan(0.9)
  const { items } = (await company.api.get(`/inbox/${encodeURIComponent(CUSTOMER)}/activity`)).body
  expect(items).toMatchObject([{ type: 'voicemail', duration: Math.round(sound!.length / 8_000) }])
  expect(await told()).toEqual(LEFT)
  expect(call).toMatchObject({ answered_at: null, duration: 0 })
})

test('a voicemail ends after five minutes, and is stored', async () => {
  const { company, dial, told, voicemails } = await newMailbox()
  const caller = await dial()
  await callIs(company, 'recording')
  await isRecorded(3.5)
  bellhop.clock.advance(5 * 60_000 - 1)
  await isRecorded(4.5)
  bellhop.clock.advance(1)
  expect(await caller.ended()).toEqual({ why: 'hungUp', by: 'peer' })
  await callIs(company, 'ended')
  expect(await voicemails()).toMatchObject([{ from: CUSTOMER }])
  expect(await told()).toEqual(LEFT)
})

test('a caller who falls silent has left a voicemail and is hung up; one who says nothing at all has not', async () => {
  const { company, dial, voicemails } = await newMailbox()
  const [speaker, silent] = [await dial('+4520000001'), await dial('+4520000002')]
  silent.shutUp()
  const callsOf = async (from: string) =>
    (await company.api.get(`/calls?phone_number=${encodeURIComponent(from)}`)).body.calls
  // The other's silence may have ended by then.
  await vi.waitFor(async () => {
    expect(await callsOf('+4520000001')).toMatchObject([{ state: 'recording' }])
  }, PATIENCE)
  await speaker.recite(SAID)
  speaker.shutUp()
  for (const [caller, from] of [[speaker, '+4520000001'] as const, [silent, '+4520000002'] as const]) {
    await vi.waitFor(async () => expect(await callsOf(from)).toMatchObject([{ state: 'ended' }]), PATIENCE)
    expect(await caller.ended()).toEqual({ why: 'hungUp', by: 'peer' })
  }
  expect(await voicemails()).toMatchObject([{ from: '+4520000001' }])
})

test('a caller who hangs up at the beep leaves no voicemail, and the call is lost', async () => {
  const { company, dial, told, voicemails } = await newMailbox()
  const caller = await dial()
  await isRecorded(0)
  caller.hangUp()
  await callIs(company, 'ended')
  expect(await voicemails()).toEqual([])
  expect(await told()).toEqual(LOST)
  expect(await spooledSounds()).toEqual([])
})

test('a few words are a voicemail, whoever ends the call', async () => {
  const { company, dial, told, voicemails } = await newMailbox()
  const caller = await dial()
  caller.shutUp()
  await callIs(company, 'recording')
  await caller.recite(SAID)
  caller.hangUp()
  await callIs(company, 'ended')
  expect(await voicemails()).toMatchObject([{ from: CUSTOMER }])
  expect(await told()).toEqual(LEFT)
})

test.each<[string, (seconds: number) => Int16Array]>([
  ['only silence', (seconds) => new Int16Array(seconds * 8_000)],
  ['a tone of two seconds', () => Int16Array.from({ length: 16_000 }, (_, i) => 8_000 * Math.sin(i / 3))],
])('%s is no voicemail, and the call is lost', async (_, sound) => {
  const { company, dial, told, voicemails } = await newMailbox()
  const caller = await dial()
  caller.shutUp()
  await callIs(company, 'recording')
  await caller.recite(sound(4))
  caller.hangUp()
  await callIs(company, 'ended')
  expect(await voicemails()).toEqual([])
  expect(await told()).toEqual(LOST)
  expect(await spooledSounds()).toEqual([])
})

test('a voicemail that storage refuses is stored later; until then the call is neither lost nor has a voicemail', async () => {
  const { company, dial, told, voicemails } = await newMailbox()
  const folder = join(bellhop.dataDir, 'files', 'voicemails')
  const inTheWay = join(folder, company.companyId)
  await mkdir(folder, { recursive: true })
  await writeFile(inTheWay, '')
  const caller = await dial()
  await callIs(company, 'recording')
  await isRecorded(3.5)
  caller.hangUp()
  await callIs(company, 'ended')
  expect(await voicemails()).toEqual([])
  expect(await told()).toEqual(['call.initiated', 'call.ended'])
  await rm(inTheWay)
  await eventually(async () => expect(await voicemails()).toMatchObject([{ from: CUSTOMER }]))
  await bellhop.db.sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`
  await bellhop.drainJobs()
  expect(await told()).toEqual(['call.initiated', 'call.ended', 'voicemail.new'])
  expect((await fetch((await voicemails())[0].recording_url)).status).toBe(200)
})

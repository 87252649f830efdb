import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from 'vitest'

import { setOutsideTransfers } from '../../server/modules/company/index.ts'
import { callIs, eventually } from '../harness/calls/call-events.ts'
import { type Employee, numberWith, type PhoneSystem } from '../harness/calls/phone-system.ts'
import { newCall } from '../harness/calls/telephony.ts'
import type { Harness, TestCompany } from '../harness/index.ts'
import { transferWith } from '../harness/sip/transfer-with.ts'
import { made } from './fill-records.ts'

/** Three seconds are too short to be stored. */
const KEPT_VOICEMAIL_BYTES = 4 * 16_000

/**
 * Calls that have ended in several ways; at the end there is one live conversation, one parked and one waiting caller,
 * and one ringing phone. `absent` has a browser that is rung too.
 */
export async function fillCalls(
  phoneSystem: PhoneSystem,
  company: TestCompany,
  absent: { id: string },
): Promise<void> {
  const { bellhop, dial, hire } = phoneSystem
  const anna = await hire(company, 'Anna', 700)
  const bob = await hire(company, 'Bob', 800)
  const flow = { type: 'TransferConfig', employee_ids: [anna.id] }
  const shop = await numberWith(bellhop, company, flow, { recording_enabled: true })
  const mailbox = await numberWith(bellhop, company, { type: 'VoicemailConfig', greeting: 'Leave a word.' })
  await bellhop.drainJobs()

  const customer = await dial(shop.number)
  await customer.connected()
  const annasPhone = await anna.rings()
  await annasPhone.answer()
  await customer.hears(700)
  const call = await callIs(company, 'bridged')
  await made(anna.api.get(`/calls/${call.id}/context`))
  const transfers = `/calls/${call.id}/transfers`
  const { transfer } = await made(anna.api.post(transfers, { employee_id: bob.id }))
  const bobsPhone = await bob.rings()
  await bobsPhone.answer()
  await annasPhone.hears(800)
  await eventually(async () =>
    expect((await anna.api.post(`${transfers}/${transfer.id}/completion`)).status).toBe(200),
  )
  await customer.hears(800)
  customer.hangUp()
  await callIs(company, 'ended')

  const speaker = await dial(mailbox.number)
  await speaker.connected()
  await callIs(company, 'recording')
  await eventually(async () => expect(await recordedBytes(bellhop)).toBeGreaterThan(KEPT_VOICEMAIL_BYTES))
  speaker.hangUp()
  await callIs(company, 'ended')
  const voicemails = await eventually(async () => {
    const body = await made(company.api.get('/voicemails'))
    expect(body.voicemails).toHaveLength(1)
    return body.voicemails
  })
  await made(company.api.get(`/voicemails/${voicemails[0].id}/waveform`))

  await fillInternalCall(company, anna, bob)
  await fillOutsideTransfer(phoneSystem, company, anna, shop.number)
  const parked = await dial(shop.number)
  await parked.connected()
  const parking = await anna.rings()
  await parking.answer()
  await parked.hears(700)
  const { id } = await callIs(company, 'bridged')
  await made(anna.api.post(`/calls/${id}/park`, {}))
  await parking.ended()

  const talking = await dial(shop.number)
  await talking.connected()
  const again = await anna.rings()
  await again.answer()
  await talking.hears(700)
  const employee_ids = [bob.id, absent.id]
  const workshop = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids })
  const ringing = await dial(workshop.number)
  await ringing.connected()
  await bob.rings()
  await giveWords(bellhop, company, shop.uuid)
  // Its look-up of the caller stays in the queue.
  const waiting = await dial(shop.number, { from: '+4520112244' })
  await waiting.connected()
  await callIs(company, 'queued')
}

async function fillInternalCall(company: TestCompany, anna: Employee, bob: Employee): Promise<void> {
  const { extensions } = await made(company.api.get('/extensions'))
  const { extension } = extensions.find((one: { employee_id: string }) => one.employee_id === bob.id)
  const annasPhone = await anna.dial(extension)
  const bobsPhone = await bob.rings()
  await bobsPhone.answer()
  await annasPhone.hears(800)
  annasPhone.hangUp()
  await bobsPhone.ended()
}

async function fillOutsideTransfer(
  { bellhop, dial, callee, edge }: PhoneSystem,
  company: TestCompany,
  anna: Employee,
  number: string,
): Promise<void> {
  await bellhop.db.tx((tx) => setOutsideTransfers(tx, company.companyId, true))
  const customer = await dial(number)
  await customer.connected()
  const phone = await anna.rings()
  await phone.answer()
  await customer.hears(700)
  await callIs(company, 'bridged')
  await transferWith(phone.call, `sip:20998877@127.0.0.1:${edge.port}`)
  const outside = await callee()
  await outside.answer()
  await customer.hears(500)
  customer.hangUp()
  await callIs(company, 'ended')
}

/** How much of the current recording is on disk. */
async function recordedBytes({ dataDir }: Harness): Promise<number> {
  const spool = join(dataDir, 'spool')
  const sounds = (await readdir(spool, { recursive: true })).filter((name) => name.endsWith('.wav'))
  const sizes = await Promise.all(sounds.map(async (name) => (await stat(join(spool, name))).size))
  return Math.max(0, ...sizes)
}

/**
 * Transcripts as a worker would store them: an engine would take long, and finds no words in tones. The jobs that wait
 * are run.
 */
async function giveWords({ drainJobs }: Harness, company: TestCompany, numberId: string): Promise<void> {
  const values = { business_number_id: numberId, remote_number: '+4531415161', summary: 'About a refund.' }
  await newCall(company, { ...values, transcription: 'The brakes squeal. I want a refund, my money back.' })
  await drainJobs()
  // The job that computes its embeddings stays in the queue.
  await newCall(company, { ...values, transcription: 'Could I have a table for two?' })
}

import { addNumber } from '../../../server/modules/numbers/index.ts'
import type { Tx } from '../../../server/platform/db/database.ts'
import type { TestCompany } from '../index.ts'

let serial = 70_000_000

/**
 * A unique Danish number; returns its uuid. A new number enqueues the synthesis of its greeting, which takes the next
 * `drainJobs` a second, or five in English. One that is `mute` has no prompts.
 */
export async function newNumber(
  { db, companyId }: TestCompany,
  { mute = false, ...input }: Partial<Parameters<typeof addNumber>[2]> & { mute?: boolean } = {},
): Promise<string> {
  const number = { number: `+45${serial++}`, name: 'Fixture', sms: true, ...input }
  return db.tx(async (tx) => {
    const { id } = await addNumber(tx, companyId, number)
    if (mute) await silence(tx, id)
    return id
  })
}

async function silence(tx: Tx, numberId: string) {
  await tx`update business_numbers set outside_business_hours_config = null where id = ${numberId}`
  await tx`delete from prompts where business_number_id = ${numberId}`
  await tx`
    select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs
    where task_identifier = 'numbers.speak_defaults'`
}

interface CallValues {
  id: string
  business_number_id: string
  direction: string
  remote_number: string
  state: string
  started_at: Date | null
  answered_at: Date | null
  ended_at: Date | null
  summary: string
  transcription: string
  recording_key: string
  initiated_by: string
  edge_id: string
}

/** A row as an edge would leave it: by default a missed call of a minute ago. */
export async function newCall(company: TestCompany, values: Partial<CallValues> = {}): Promise<string> {
  const { db, companyId } = company
  const at = new Date(Date.now() - 60_000)
  const row = {
    company_id: companyId,
    business_number_id: values.business_number_id ?? (await newNumber(company, { mute: true })),
    direction: 'inbound',
    remote_number: '+4520112233',
    state: 'ended',
    started_at: at,
    ended_at: at,
    ...values,
  }
  const [call] = await db.sql<{ id: string }[]>`insert into calls ${db.sql(row)} returning id`
  return call!.id
}

interface VoicemailValues {
  business_number_id: string
  call_id: string
  from_number: string
  transcription: string
  recording_key: string
  seconds: number
  listened_at: Date
}

export async function newVoicemail(
  company: TestCompany,
  values: Partial<VoicemailValues> = {},
): Promise<string> {
  const { db, companyId } = company
  const row = {
    company_id: companyId,
    business_number_id: values.business_number_id ?? (await newNumber(company, { mute: true })),
    from_number: '+4520112233',
    ...values,
  }
  const [voicemail] = await db.sql<{ id: string }[]>`insert into voicemails ${db.sql(row)} returning id`
  return voicemail!.id
}

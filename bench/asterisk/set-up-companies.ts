/** The companies of Bellhop: each number has an employee with a phone, a greeting, and a queue for that employee. */
import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { createDevice } from '../../server/modules/devices/index.ts'
import { alwaysOpen } from '../../server/modules/numbers/hours/business-hours.ts'
import { addNumber } from '../../server/modules/numbers/index.ts'
import { createVault } from '../../server/platform/crypto/crypto.ts'
import { encodeId } from '../../server/platform/ids.ts'
import { SECRET } from '../calls/phone-system.ts'
import type { Fixture, FixtureCompany } from '../fixture.ts'
import { type CompanyGroup, dealLines } from './companies.ts'
import { numberOf } from './pbx.ts'

const WELCOME = 'Hej.'
const LIMITS = { spokenMs: 120_000 }

export async function setUpCompanies(fixture: Fixture, url: string, groups: CompanyGroup[]) {
  const vault = createVault(SECRET)
  const numbers: string[] = []
  const devices: { username: string; password: string }[] = []
  const companies: FixtureCompany[] = []
  let greeting: string | undefined
  for (const [line, place] of dealLines(groups).entries()) {
    const company = (companies[place] ??= await fixture.addCompany())
    const added = await addLine(fixture, vault, company, line)
    await setWelcome(url, company, added)
    greeting ??= await untilSpoken(fixture, added.numberId)
    await copySpoken(fixture)
    numbers.push(added.number)
    devices.push(added.device)
  }
  await untilAllSpoken(fixture)
  // As autovacuum would within the first minutes.
  await fixture.sql.unsafe('analyze')
  return { numbers, devices, greeting: fileOf(fixture, greeting!) }
}

type AddedLine = Awaited<ReturnType<typeof addLine>>

function addLine(
  fixture: Fixture,
  vault: ReturnType<typeof createVault>,
  { companyId }: FixtureCompany,
  line: number,
) {
  const number = numberOf(line)
  return fixture.db.tx(async (tx) => {
    const [employee] = await tx<{ id: string }[]>`
      insert into employees (company_id, name, email, invitation_pending)
      values (${companyId}, ${`Employee ${line}`}, ${`${number}@bench.example`}, false) returning id`
    const { id: numberId } = await addNumber(tx, companyId, { name: `Line ${line}`, number, language: 'da' })
    const device = await createDevice(tx, vault, employee!.id, {})
    await tx`
      update business_numbers set recording_enabled = false, business_hours = ${tx.json(alwaysOpen)}
      where id = ${numberId}`
    return { number, numberId, employeeId: employee!.id, device }
  })
}

async function setWelcome(url: string, { apiKey }: FixtureCompany, { numberId, employeeId }: AddedLine) {
  const path = `/api/v1/business_numbers/${encodeId('num', numberId)}/incoming_call_config`
  const flow = {
    type: 'WelcomeTransferConfig',
    welcome: WELCOME,
    employee_ids: [encodeId('emp', employeeId)],
  }
  const put = await fetch(`${url}${path}`, {
    method: 'PUT',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(flow),
  })
  if (!put.ok) throw new Error(`${path}: ${put.status} ${await put.text()}`)
}

async function untilSpoken({ sql }: Fixture, numberId: string): Promise<string> {
  for (const start = performance.now(); performance.now() - start < LIMITS.spokenMs; await pause(100)) {
    const [row] = await sql<{ audio_key: string | null }[]>`
      select audio_key from prompts where business_number_id = ${numberId} and text = ${WELCOME}`
    if (row?.audio_key) return row.audio_key
  }
  throw new Error('the greeting was not spoken')
}

/** The words are the same for all numbers: they are synthesised once, and the files are copied. */
async function copySpoken(fixture: Fixture): Promise<void> {
  const copies = await fixture.sql<{ number_id: string; digest: string; from: string }[]>`
    select distinct on (wanted.business_number_id, wanted.digest)
      wanted.business_number_id as number_id, wanted.digest, spoken.audio_key as from
    from prompts wanted
    join prompts spoken on spoken.text = wanted.text and spoken.language = wanted.language
    where wanted.audio_key is null and spoken.audio_key is not null`
  for (const { number_id: numberId, digest, from } of copies) {
    const key = `prompts/${numberId}/${digest}-copy.wav`
    await mkdir(dirname(fileOf(fixture, key)), { recursive: true })
    await copyFile(fileOf(fixture, from), fileOf(fixture, key))
    await fixture.sql`
      update prompts set audio_key = ${key}
      where business_number_id = ${numberId} and digest = ${digest} and audio_key is null`
  }
}

const fileOf = ({ dataDir }: Fixture, key: string) => join(dataDir, 'files', key)

async function untilAllSpoken(fixture: Fixture): Promise<void> {
  for (const start = performance.now(); performance.now() - start < LIMITS.spokenMs; await pause(100)) {
    await copySpoken(fixture)
    const [row] = await fixture.sql<{ count: number }[]>`
      select count(*)::int as count from prompts where audio_key is null`
    if (row!.count === 0) return
  }
  throw new Error('the greetings were not spoken')
}

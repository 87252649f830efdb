import { createApiKey } from '../../../server/modules/api-keys/index.ts'
import { createCompany } from '../../../server/modules/company/index.ts'
import { createDevice } from '../../../server/modules/devices/index.ts'
import { createEmployeeWithPassword } from '../../../server/modules/employees/index.ts'
import { alwaysOpen } from '../../../server/modules/numbers/hours/business-hours.ts'
import { addNumber } from '../../../server/modules/numbers/index.ts'
import { createVault } from '../../../server/platform/crypto/crypto.ts'
import { openDatabase, type Tx } from '../../../server/platform/db/database.ts'
import { migrate } from '../../../server/platform/db/migrate.ts'
import { encodeId } from '../../../server/platform/ids.ts'

export interface SeededEmployee {
  /** The id in the API. */
  id: string
  name: string
  /** An API key of the employee. */
  key: string
  /** The credentials of their phone; employees without have no phone. */
  device: { username: string; password: string } | undefined
}

export interface BusinessNumber {
  id: string
  uuid: string
  number: string
}

/** The company that the campaign works on. */
export interface Company {
  id: string
  /** Employees who answer the numbers, one each. */
  desks: SeededEmployee[]
  /** To whom calls are transferred. */
  coworkers: SeededEmployee[]
  /** Switches do not disturb on and off. */
  shy: SeededEmployee
  /** Never has a phone. */
  absent: SeededEmployee
  lines: BusinessNumber[]
  voicemail: BusinessNumber
  texting: BusinessNumber
  /** Always closed: texts to it get an automatic reply. */
  closed: BusinessNumber
}

const CONCURRENT_CALLS = 3
const COWORKERS = 2

interface SeedOptions {
  calls?: number
  language?: string
  /** By another version, whose schema is to stay. */
  isMigrated?: boolean
}

/** A migrated database with one company, which has a number and an employee for each concurrent call. */
export async function seedCompany(
  url: string,
  secret: string,
  { calls = CONCURRENT_CALLS, language = 'en', isMigrated = false }: SeedOptions = {},
): Promise<Company> {
  const address = { url }
  if (!isMigrated) await migrate(address)
  const db = openDatabase(address, { poolSize: 2 })
  try {
    return await db.tx((tx) => makeCompany(tx, secret, { calls, language }))
  } finally {
    await db.close()
  }
}

async function makeCompany(
  tx: Tx,
  secret: string,
  { calls, language }: { calls: number; language: string },
): Promise<Company> {
  const wanted = { name: 'Chaos', country: 'DK', messaging_enabled: true }
  const { id } = await createCompany(tx, wanted)
  const vault = createVault(secret)
  const hire = async (name: string, hasPhone = true): Promise<SeededEmployee> => {
    const email = `${name.replace(' ', '.').toLowerCase()}@chaos.example`
    const employee = await createEmployeeWithPassword(
      tx,
      { companyId: id },
      { name, email, password: secret },
    )
    const { key } = await createApiKey(tx, employee.id, 'chaos')
    const device = hasPhone ? await createDevice(tx, vault, employee.id, {}) : undefined
    return { id: encodeId('emp', employee.id), name, key, device }
  }
  let serial = 70_000_000
  const number = async (name: string, isRecorded = false): Promise<BusinessNumber> => {
    const added = await addNumber(tx, id, { name, number: `+45${serial++}`, language, sms: true })
    await tx`
      update business_numbers
      set recording_enabled = ${isRecorded}, business_hours = ${tx.json(alwaysOpen)}
      where id = ${added.id}`
    return { id: encodeId('num', added.id), uuid: added.id, number: `+45${serial - 1}` }
  }
  return {
    id,
    desks: await each(calls, (index) => hire(`Desk ${index + 1}`)),
    coworkers: await each(COWORKERS, (index) => hire(`Coworker ${index + 1}`)),
    shy: await hire('Shy'),
    absent: await hire('Absent', false),
    // Every other one is recorded.
    lines: await each(calls, (index) => number(`Line ${index + 1}`, index % 2 === 0)),
    voicemail: await number('Voicemail'),
    texting: await number('Texting'),
    closed: await number('Closed'),
  }
}

async function each<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  const made: T[] = []
  for (let index = 0; index < count; index++) made.push(await make(index))
  return made
}

import { createApiKey } from '../../../server/modules/api-keys/index.ts'
import { createCompany } from '../../../server/modules/company/index.ts'
import { createDevice } from '../../../server/modules/devices/index.ts'
import { createVault } from '../../../server/platform/crypto/crypto.ts'
import { openDatabase } from '../../../server/platform/db/database.ts'
import { migrate } from '../../../server/platform/db/migrate.ts'
import { encodeId } from '../../../server/platform/ids.ts'

export interface Person {
  /** Of the company, from 0. */
  company: number
  /** The id in the API. */
  id: string
  key: string
  /** Not everybody has one. */
  device: { username: string; password: string } | undefined
}

interface SeedOptions {
  companies: number
  employees: number
  /** So many of all employees have a phone. */
  phones: number
}

/** A migrated database with companies of the same size. */
export async function seedPeople(
  url: string,
  secret: string,
  { companies, employees, phones }: SeedOptions,
): Promise<Person[]> {
  await migrate({ url })
  const db = openDatabase({ url }, { poolSize: 4 })
  const vault = createVault(secret)
  const people: Person[] = []
  try {
    for (let company = 0; company < companies; company++)
      await db.tx(async (tx) => {
        const { id: companyId } = await createCompany(tx, { name: `Company ${company}`, country: 'DK' })
        for (let each = 0; each < employees; each++) {
          // No password: hashing thousands would take longer than the scenario.
          const [employee] = await tx<{ id: string }[]>`
            insert into employees (company_id, name, email, invitation_pending)
            values (${companyId}, ${`Employee ${each}`}, ${`${each}@${company}.example`}, false) returning id`
          const { key } = await createApiKey(tx, employee!.id, 'sockets')
          const hasPhone = people.length < phones
          const device = hasPhone ? await createDevice(tx, vault, employee!.id, {}) : undefined
          people.push({ company, id: encodeId('emp', employee!.id), key, device })
        }
      })
    await db.sql.unsafe('analyze')
    return people
  } finally {
    await db.close()
  }
}

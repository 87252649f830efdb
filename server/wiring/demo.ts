import { createApiKey } from '../modules/api-keys/index.ts'
import { createCompany, hasCompanies, lockCompanies } from '../modules/company/index.ts'
import { createContact } from '../modules/contacts/index.ts'
import { createEmployeeWithPassword } from '../modules/employees/index.ts'
import { addNumber } from '../modules/numbers/index.ts'
import { randomToken } from '../platform/crypto/crypto.ts'
import type { Tx } from '../platform/db/database.ts'
import { AppError, OperatorError } from '../platform/errors.ts'
import type { TellStory } from './story/open-story.ts'

export interface Demo {
  company: string
  email: string
  password: string
  apiKey: string
}

const COMPANY = { name: 'Nordlys Cykler', country: 'DK', messaging_enabled: true }
const EMPLOYEES = [
  { name: 'Anna Holm', email: 'anna@nordlys.example' },
  { name: 'Bo Lund', email: 'bo@nordlys.example' },
  { name: 'Clara Friis', email: 'clara@nordlys.example' },
]
const NUMBERS = [
  // Always open, because people try it at any hour; English, because it is transcribed without an external service.
  { number: '+4578900100', name: 'Shop', sms: true, language: 'en', always_open: true, recording: true },
  { number: '+4578900200', name: 'Workshop', sms: true, language: 'en', recording: true },
]
const CONTACTS = [
  {
    phone: '+4520304050',
    name: 'Mikkel Dahl',
    email: 'mikkel@dahl.example',
    note: 'Rides a red cargo bike.',
  },
  { phone: '+4531415161', name: 'Sofie Krogh', company_name: 'Krogh Arkitekter' },
  {
    phone: '+4542526272',
    name: 'Havnens Kaffebar',
    company_name: 'Havnens Kaffebar',
    note: 'Two delivery bikes.',
  },
  { phone: '+46701234567', name: 'Elin Berg', email: 'elin@berg.example' },
]

/** Unless there is a company already; if several processes start at once, one creates it. */
export async function createDemoOnce(tx: Tx, tellStory: TellStory): Promise<Demo | undefined> {
  await lockCompanies(tx)
  return (await hasCompanies(tx)) ? undefined : createDemo(tx, tellStory)
}

/** A company to try things with: two Danish numbers, three employees, some contacts, and the week behind them. */
export async function createDemo(tx: Tx, tellStory?: TellStory): Promise<Demo> {
  try {
    return await fillDemo(tx, tellStory)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new OperatorError(`The demo company seems to exist already: ${error.message}`, { cause: error })
  }
}

async function fillDemo(tx: Tx, tellStory: TellStory | undefined): Promise<Demo> {
  const { id: companyId } = await createCompany(tx, COMPANY)
  const password = randomToken().slice(0, 16)
  const employeeIds = new Map<string, string>()
  for (const employee of EMPLOYEES) {
    const created = await createEmployeeWithPassword(tx, { companyId }, { ...employee, password })
    employeeIds.set(employee.name, created.id)
  }
  const numberIds = new Map<string, string>()
  let timezone = ''
  for (const number of NUMBERS) {
    const added = await addNumber(tx, companyId, number)
    numberIds.set(number.name, added.id)
    timezone = added.timezone
  }
  const actor = { companyId, employeeId: employeeIds.get(EMPLOYEES[0]!.name)! }
  for (const contact of CONTACTS) await createContact(tx, actor, contact)
  if (tellStory) {
    const names = new Map(CONTACTS.map(({ phone, name }) => [phone, name]))
    await tellStory(tx, { companyId, timezone, numberIds, employeeIds, names })
  }
  const { key } = await createApiKey(tx, actor.employeeId, 'Demo')
  return { company: COMPANY.name, email: EMPLOYEES[0]!.email, password, apiKey: key }
}

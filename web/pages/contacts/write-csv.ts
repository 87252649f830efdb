import type { Contact } from '../../api/contacts.ts'
import { guardFormula } from './formula-guard.ts'

type Written = Pick<Contact, 'phone' | 'name' | 'email' | 'company_name' | 'note'>

/** E.164: a plus and at most 15 digits. Anything shorter is not a number, and a spreadsheet would compute it. */
const PHONE = /^\+\d{4,15}$/

/** A file that can be imported again unchanged. */
export async function writeCsv(contacts: Written[]): Promise<string> {
  const { unparse } = await import('papaparse')
  const rows = contacts.map(({ phone, name, email, company_name, note }) => ({
    phone: PHONE.test(phone) ? phone : guarded(phone),
    name: guarded(name),
    email: guarded(email),
    company: guarded(company_name),
    note: guarded(note),
  }))
  // Without a byte order mark, Excel does not detect UTF-8.
  return '\uFEFF' + unparse(rows)
}

const guarded = (text: string | null) => text && guardFormula(text)

import type { Contact } from '../../api/contacts.ts'

/** Gives the contacts as a file that the import takes again. */
export async function downloadContacts(contacts: Contact[]): Promise<void> {
  const { unparse } = await import('papaparse')
  const rows = contacts.map(({ phone, name, email, company_name, note }) => ({
    phone,
    name,
    email,
    company: company_name,
    note,
  }))
  // A text that begins as a formula would be one to a spreadsheet; phones do begin with a plus.
  const text = unparse(rows, { escapeFormulae: /^[=\-@\t\r]/ })
  // With a byte order mark, without which Excel takes UTF-8 for something else.
  const url = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'contacts.csv'
  link.click()
  URL.revokeObjectURL(url)
}

import type { Contact } from '../../api/contacts.ts'
import { writeCsv } from './write-csv.ts'

export async function downloadContacts(contacts: Contact[]): Promise<void> {
  const url = URL.createObjectURL(new Blob([await writeCsv(contacts)], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'contacts.csv'
  link.click()
  URL.revokeObjectURL(url)
}

import type { ContactInput } from '../../api/contacts.ts'
import { withoutGuard } from './formula-guard.ts'

/** Column names of other programs. */
const COLUMNS: Record<string, keyof ContactInput> = {
  phone: 'phone',
  telefon: 'phone',
  mobile: 'phone',
  mobil: 'phone',
  name: 'name',
  navn: 'name',
  email: 'email',
  'e-mail': 'email',
  company: 'company_name',
  company_name: 'company_name',
  firma: 'company_name',
  note: 'note',
  notes: 'note',
  noter: 'note',
}

export interface ReadCsv {
  hasPhones: boolean
  rows: { line: number; contact: ContactInput }[]
}

export async function readCsv(file: File): Promise<ReadCsv> {
  const { parse } = await import('papaparse')
  const { data } = parse<string[]>(textOf(await file.arrayBuffer()))
  const columns = (data[0] ?? []).map((name) => COLUMNS[name.trim().toLowerCase()])
  let next = 1
  const rows = data.flatMap((cells) => {
    const line = next
    next += 1 + cells.join('').split('\n').length - 1
    if (line === 1 || cells.every((cell) => cell.trim() === '')) return []
    const entries = columns.flatMap((column, at) => {
      const text = withoutGuard(cells[at] ?? '')
      // A note is kept unchanged.
      return column && text.trim() ? [[column, column === 'note' ? text : text.trim()] as const] : []
    })
    return [{ line, contact: { phone: '', ...Object.fromEntries(entries) } }]
  })
  return { hasPhones: columns.includes('phone'), rows }
}

/** UTF-8, with or without a byte order mark; otherwise Windows-1252 from an older spreadsheet. */
function textOf(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

import type { ContactInput } from '../../api/contacts.ts'

/** What other programs call our columns. */
const COLUMNS: Record<string, keyof ContactInput> = {
  phone: 'phone',
  telefon: 'phone',
  mobile: 'phone',
  name: 'name',
  navn: 'name',
  email: 'email',
  'e-mail': 'email',
  company: 'company_name',
  company_name: 'company_name',
  firma: 'company_name',
  note: 'note',
  notes: 'note',
}

export interface ReadCsv {
  hasPhones: boolean
  rows: { line: number; contact: ContactInput }[]
}

export async function readCsv(file: File): Promise<ReadCsv> {
  const { parse } = await import('papaparse')
  const { data } = parse<string[]>((await file.text()).replace(/^\uFEFF/, ''), { skipEmptyLines: 'greedy' })
  const columns = (data[0] ?? []).map((name) => COLUMNS[name.trim().toLowerCase()])
  const rows = data.slice(1).map((cells, index) => {
    const entries = columns.flatMap((column, at) => {
      const text = cells[at]?.trim()
      return column && text ? [[column, text] as const] : []
    })
    return { line: index + 2, contact: { phone: '', ...Object.fromEntries(entries) } }
  })
  return { hasPhones: columns.includes('phone'), rows }
}

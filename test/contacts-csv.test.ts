import * as fc from 'fast-check'
import { parse } from 'papaparse'
import { expect, test } from 'vitest'

import { readCsv } from '../web/pages/contacts/read-csv.ts'
import { writeCsv } from '../web/pages/contacts/write-csv.ts'

const PHONE = '+4520112233'
const nobody: Parameters<typeof writeCsv>[0][number] = {
  phone: PHONE,
  name: null,
  email: null,
  company_name: null,
  note: null,
}

/** As a spreadsheet shows it, one row for each line. */
const cellsOf = async (contact: Partial<typeof nobody>) =>
  parse<string[]>((await writeCsv([{ ...nobody, ...contact }])).slice(1)).data[1]!

const importedFrom = async (csv: string) =>
  (await readCsv(new File([csv], 'contacts.csv'))).rows.map(({ contact }) => contact)

/** Characters that start a formula in Excel, LibreOffice, Google Sheets and their East Asian editions. */
const STARTS = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠', ' =', '\u00A0=', "'="]

test.each(STARTS)('an exported text that begins with %j is not a formula in a spreadsheet', async (start) => {
  const text = `${start}HYPERLINK("https://evil.example")`
  const cells = await cellsOf({ name: text, email: text, company_name: text, note: text })
  expect(cells).toEqual([PHONE, ...Array<string>(4).fill(`'${text}`)])
})

test('an exported phone is written unchanged if it is a number, and only then', async () => {
  expect((await cellsOf({ phone: '+4520112233' }))[0]).toBe('+4520112233')
  expect((await cellsOf({ phone: '+4520112233+cmd|x' }))[0]).toBe("'+4520112233+cmd|x")
  expect((await cellsOf({ phone: '+1' }))[0]).toBe("'+1")
})

test('an exported file is imported as the same contacts', async () => {
  const text = fc
    .array(fc.oneof(fc.constantFrom("'", '"', ',', ';', ' ', 'a', ...STARTS), fc.string({ maxLength: 3 })), {
      minLength: 1,
      maxLength: 6,
    })
    .map((parts) => parts.join(''))
    .filter((written) => written.trim() !== '' && written.isWellFormed())
  // The API trims names, but not notes.
  const name = text.map((written) => written.trim())
  const contact = fc.record({
    phone: fc.constantFrom(PHONE, '+4520112244'),
    name: fc.option(name),
    email: fc.option(fc.constantFrom('anna@example.com', '=anna@example.com', '-b@example.com')),
    company_name: fc.option(name),
    note: fc.option(text),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(contact, { minLength: 1, maxLength: 5 }), async (contacts) => {
      const imported = await importedFrom(await writeCsv(contacts))
      expect(imported.map((given) => Object.assign({}, nobody, given))).toEqual(contacts)
    }),
  )
})

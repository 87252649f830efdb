import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { ApiError } from '../../api/client.ts'
import { type ContactInput, contactsQuery, createContact, updateContact } from '../../api/contacts.ts'
import { contactTexts } from '../../i18n/contacts.ts'
import { useTexts } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, INPUT } from '../../ui/field.tsx'
import { type ReadCsv, readCsv } from './read-csv.ts'

interface Outcome {
  done: number
  added: number
  changed: number
  refused: { line: number; why: string }[]
}

/** One contact after the other through the API; who has the number already is changed. */
export function ImportContacts({ onClose }: { onClose(): void }) {
  const t = useTexts(contactTexts)
  const queries = useQueryClient()
  const known = useQuery(contactsQuery()).data ?? []
  const [csv, setCsv] = useState<ReadCsv>()
  const [outcome, setOutcome] = useState<Outcome>()
  const running = csv !== undefined && outcome !== undefined && outcome.done < csv.rows.length

  async function run(rows: ReadCsv['rows']) {
    const ids = new Map(known.map(({ phone, id }) => [phone, id]))
    const result: Outcome = { done: 0, added: 0, changed: 0, refused: [] }
    for (const { line, contact } of rows) {
      try {
        result[await putContact(contact, ids)]++
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        result.refused.push({ line, why: error.message })
      }
      result.done++
      setOutcome({ ...result })
    }
    await queries.invalidateQueries()
  }

  return (
    <Dialog open onClose={onClose} title={t.importTitle} description={t.importHint}>
      <Field label={t.choose}>
        {(props) => (
          <input
            {...props}
            type="file"
            accept=".csv,text/csv"
            className={INPUT}
            onChange={async ({ target: { files } }) => {
              setOutcome(undefined)
              setCsv(files?.[0] && (await readCsv(files[0])))
            }}
          />
        )}
      </Field>
      {csv && <p className="mb-3">{csv.hasPhones ? t.found(csv.rows.length) : t.noPhone}</p>}
      {outcome && (
        <div role="status" className="mb-3">
          <p>
            {running ? t.progress(outcome.done, csv.rows.length) : t.imported(outcome.added, outcome.changed)}
          </p>
          {outcome.refused.length > 0 && (
            <>
              <p className="mt-2 text-wrong">{t.refused}</p>
              <ul className="max-h-40 overflow-y-auto text-sm">
                {outcome.refused.map(({ line, why }) => (
                  <li key={line}>
                    {line}: {why}
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
      )}
      <div className="flex justify-end">
        <Button
          look="main"
          disabled={!csv?.hasPhones || csv.rows.length === 0 || outcome !== undefined}
          onClick={() => csv && void run(csv.rows)}
        >
          {t.startImport}
        </Button>
      </div>
    </Dialog>
  )
}

async function putContact(contact: ContactInput, ids: Map<string, string>): Promise<'added' | 'changed'> {
  const id = ids.get(contact.phone)
  if (id !== undefined) {
    await updateContact(id, contact)
    return 'changed'
  }
  const made = await createContact(contact)
  ids.set(made.phone, made.id)
  return 'added'
}

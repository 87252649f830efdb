import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { ApiError } from '../../api/client.ts'
import type { ContactInput } from '../../api/contacts.ts'
import { contactTexts } from '../../i18n/contacts.ts'
import { useErrorText } from '../../i18n/errors.ts'
import { useTexts } from '../../i18n/language.tsx'
import { shellTexts } from '../../i18n/shell.ts'
import { useFieldErrors } from '../../refusals/field-errors.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, INPUT } from '../../ui/field.tsx'
import { useUnsavedEdits } from '../../unsaved/unsaved-edits.ts'
import { type ReadCsv, readCsv } from './read-csv.ts'
import { saveContact } from './save-contact.ts'

interface Outcome {
  done: number
  added: number
  changed: number
  refused: { line: number; why: ApiError }[]
  /** The connection was lost here; the following rows were not tried. */
  stoppedAt?: number
}

/** Imports contacts one by one through the API; existing numbers are updated. */
export function ImportContacts({ onClose }: { onClose(): void }) {
  const t = useTexts(contactTexts)
  const common = useTexts(shellTexts)
  const reasonText = useReasonText()
  const queries = useQueryClient()
  const [csv, setCsv] = useState<ReadCsv>()
  const [outcome, setOutcome] = useState<Outcome>()
  const isRunning =
    csv !== undefined &&
    outcome !== undefined &&
    outcome.stoppedAt === undefined &&
    outcome.done < csv.rows.length
  useUnsavedEdits(isRunning)

  async function run(rows: ReadCsv['rows']) {
    let so: Outcome = { done: 0, added: 0, changed: 0, refused: [] }
    setOutcome(so)
    for (const { line, contact } of rows) {
      so = await putLine(so, line, contact)
      setOutcome(so)
      if (so.stoppedAt !== undefined) break
    }
    await queries.invalidateQueries()
  }

  return (
    // It would go on unseen.
    <Dialog open onClose={() => isRunning || onClose()} title={t.importTitle} description={t.importHint}>
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
            {isRunning
              ? t.progress(outcome.done, csv.rows.length)
              : t.imported(outcome.added, outcome.changed)}
          </p>
          {isRunning && (
            <progress
              className="mt-1 h-2 w-full accent-accent"
              aria-label={t.importTitle}
              value={outcome.done}
              max={csv.rows.length}
            />
          )}
          {outcome.stoppedAt !== undefined && (
            <p className="mt-2 text-wrong">{t.stopped(outcome.stoppedAt)}</p>
          )}
          {outcome.refused.length > 0 && (
            <>
              <p className="mt-2 text-wrong">{t.refused}</p>
              <ul className="mt-1 max-h-40 list-inside list-disc overflow-y-auto text-sm">
                {outcome.refused.map(({ line, why }) => (
                  <li key={line}>
                    {t.line(line)}: {reasonText(why)}
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
      )}
      <div className="flex justify-end gap-2">
        {outcome && !isRunning ? (
          <Button look="main" onClick={onClose}>
            {common.close}
          </Button>
        ) : (
          <Button
            look="main"
            disabled={!csv?.hasPhones || csv.rows.length === 0 || isRunning}
            onClick={() => csv && void run(csv.rows)}
          >
            {t.startImport}
          </Button>
        )}
      </div>
    </Dialog>
  )
}

/** Names the fields: there is none beside which a sentence could stand. */
function useReasonText(): (why: ApiError) => string {
  const { name, phone, email, company, note } = useTexts(contactTexts)
  const labels = { name, phone, email, company_name: company, note }
  const fieldError = useFieldErrors()
  const errorText = useErrorText()
  return (why) => {
    const wrong = Object.entries(labels).flatMap(([field, label]) => {
      const reason = fieldError(why, field)
      return reason === undefined ? [] : [`${label}: ${reason}`]
    })
    return wrong.length > 0 ? wrong.join(' ') : errorText(why)
  }
}

async function putLine(so: Outcome, line: number, contact: ContactInput): Promise<Outcome> {
  try {
    const what = await saveContact(contact)
    return { ...so, done: so.done + 1, [what]: so[what] + 1 }
  } catch (error) {
    if (!(error instanceof ApiError)) return { ...so, stoppedAt: line }
    return { ...so, done: so.done + 1, refused: [...so.refused, { line, why: error }] }
  }
}

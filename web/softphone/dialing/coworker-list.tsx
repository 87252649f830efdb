import { useTexts } from '../../i18n/language.tsx'
import { phoneTexts } from '../texts.ts'
import type { Coworker } from './coworkers.ts'

interface CoworkerListProps {
  coworkers: Coworker[]
  onCall(coworker: Coworker): void
}

/** The coworkers whom the typed text may mean. */
export function CoworkerList({ coworkers, onCall }: CoworkerListProps) {
  const t = useTexts(phoneTexts)
  if (coworkers.length === 0) return null
  return (
    <ul aria-label={t.coworkers} className="rounded-xl border p-1">
      {coworkers.map((coworker) => (
        <li key={coworker.employee_id}>
          <button
            type="button"
            className="flex w-full items-center gap-2 rounded-lg px-2 py-1.5 text-left text-sm hover:bg-hover"
            onClick={() => onCall(coworker)}
          >
            <span className="min-w-0 flex-1 truncate font-semibold">{coworker.name}</span>
            <span className="text-soft">{coworker.extension}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

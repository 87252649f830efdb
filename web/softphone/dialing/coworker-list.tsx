import { useTexts } from '../../i18n/language.tsx'
import { phoneTexts } from '../texts.ts'
import type { Coworker } from './coworkers.ts'
import { FavouriteStar } from './favourite-star.tsx'
import { PersonRow } from './person-row.tsx'

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
        <PersonRow
          key={coworker.employee_id}
          onCall={() => onCall(coworker)}
          star={<FavouriteStar who={{ employee_id: coworker.employee_id }} name={coworker.name} />}
        >
          <span className="min-w-0 flex-1 truncate font-semibold">{coworker.name}</span>
          <span className="text-soft">{coworker.extension}</span>
        </PersonRow>
      ))}
    </ul>
  )
}

import { useQuery } from '@tanstack/react-query'

import { favouritesQuery } from '../../api/favourites.ts'
import { useTexts } from '../../i18n/language.tsx'
import { useReadableNumber } from '../../i18n/remote-numbers.ts'
import { phoneTexts } from '../texts.ts'
import { type Coworker, useCoworkers } from './coworkers.ts'
import { FavouriteStar, type Whom } from './favourite-star.tsx'
import { PersonRow } from './person-row.tsx'

interface FavouriteListProps {
  onCall(phone: string): void
  onCallCoworker(coworker: Coworker): void
}

interface Shown {
  id: string
  who: Whom
  name: string
  extension?: string
  call(): void
}

/** Whom the employee calls often, in the order in which they were added. */
export function FavouriteList({ onCall, onCallCoworker }: FavouriteListProps) {
  const t = useTexts(phoneTexts)
  const readable = useReadableNumber()
  const coworkers = useCoworkers()
  const { data: favourites = [] } = useQuery(favouritesQuery())
  const shown = favourites.flatMap(({ id, phone, contact_name, employee }): Shown[] => {
    if (phone !== null)
      return [{ id, who: { phone }, name: contact_name ?? readable(phone), call: () => onCall(phone) }]
    const coworker = coworkers.find(({ employee_id }) => employee_id === employee?.id)
    if (!coworker) return []
    const { employee_id, name, extension } = coworker
    return [{ id, who: { employee_id }, name, extension, call: () => onCallCoworker(coworker) }]
  })
  if (shown.length === 0) return null
  return (
    <ul aria-label={t.favourites} className="max-h-40 overflow-y-auto rounded-xl border p-1">
      {shown.map(({ id, who, name, extension, call }) => (
        <PersonRow key={id} onCall={call} star={<FavouriteStar who={who} name={name} />}>
          <span className="min-w-0 flex-1 truncate font-semibold">{name}</span>
          {extension !== undefined && <span className="text-soft">{extension}</span>}
        </PersonRow>
      ))}
    </ul>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Star } from 'lucide-react'

import { useChange } from '../../api/change.ts'
import { addFavourite, favouritesQuery, removeFavourite } from '../../api/favourites.ts'
import { useTexts } from '../../i18n/language.tsx'
import { IconButton } from '../../ui/button.tsx'
import { phoneTexts } from '../texts.ts'

/** A customer, or a coworker. */
export type Whom = { phone: string } | { employee_id: string }

interface FavouriteStarProps {
  who: Whom
  name: string
}

/** Adds somebody to the favourites, or removes them. */
export function FavouriteStar({ who, name }: FavouriteStarProps) {
  const t = useTexts(phoneTexts)
  const { data: favourites } = useQuery(favouritesQuery())
  const known = favourites?.find(({ phone, employee }) =>
    'phone' in who ? phone === who.phone : employee?.id === who.employee_id,
  )
  const change = useChange<unknown>(() => (known ? removeFavourite(known.id) : addFavourite(who)), {
    touches: [['favourites']],
  })
  return (
    <IconButton
      label={known ? t.removeFavourite(name) : t.addFavourite(name)}
      className="size-8"
      disabled={change.isPending || !favourites}
      onClick={() => change.mutate()}
    >
      <Star size={15} className={known ? 'fill-current text-accent' : ''} />
    </IconButton>
  )
}

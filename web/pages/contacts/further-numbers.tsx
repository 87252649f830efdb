import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'

import { useChange } from '../../api/change.ts'
import { CONTACT_CHANGES, contactNumbersQuery, removeNumber } from '../../api/contacts.ts'
import { doubleTexts } from '../../i18n/doubles.ts'
import { useTexts } from '../../i18n/language.tsx'
import { IconButton } from '../../ui/button.tsx'

/** The numbers that a contact has from others that were merged with it. */
export function FurtherNumbers({ contactId }: { contactId: string }) {
  const t = useTexts(doubleTexts)
  const { data } = useQuery(contactNumbersQuery(contactId))
  const remove = useChange((phone: string) => removeNumber(contactId, phone), {
    touches: CONTACT_CHANGES,
    said: t.removed,
  })
  const further = (data ?? []).filter(({ main }) => !main)
  if (further.length === 0) return null
  return (
    <section className="mb-4" aria-label={t.furtherNumbers}>
      <h3 className="mb-1 text-sm font-semibold">{t.furtherNumbers}</h3>
      <ul className="divide-y rounded-lg border">
        {further.map(({ phone, phone_formatted }) => (
          <li key={phone} className="flex items-center py-0.5 pr-1 pl-3 tabular-nums">
            <span className="flex-1">{phone_formatted}</span>
            <IconButton
              type="button"
              label={t.remove(phone_formatted)}
              disabled={remove.isPending}
              onClick={() => remove.mutate(phone)}
            >
              <Trash2 size={16} />
            </IconButton>
          </li>
        ))}
      </ul>
    </section>
  )
}

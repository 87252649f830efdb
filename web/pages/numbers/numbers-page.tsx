import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'

import { numberQuery, numbersQuery } from '../../api/numbers.ts'
import { useTexts } from '../../i18n/language.tsx'
import { numberTexts } from '../../i18n/numbers.ts'
import { Card, Page } from '../../ui/page.tsx'
import { EmptyState, Loaded } from '../../ui/states.tsx'

export default function NumbersPage() {
  const t = useTexts(numberTexts)
  const numbers = useQuery(numbersQuery())
  return (
    <Page title={t.title} lead={t.lead}>
      <Card>
        <Loaded query={numbers}>
          {(numbers) =>
            numbers.length === 0 ? (
              <EmptyState drawing="numbers" title={t.empty}>
                {t.emptyHint}
              </EmptyState>
            ) : (
              <ul className="divide-y">
                {numbers.map(({ id, name, number_formatted, retired_at }) => (
                  <li key={id}>
                    <Link
                      to="/numbers/$id"
                      params={{ id }}
                      className="flex items-center gap-4 px-4 py-3 outline-offset-[-2px] hover:bg-hover"
                    >
                      <span className="min-w-0 flex-1">
                        <span className="block font-medium">{name}</span>
                        <span className="text-sm text-soft tabular-nums">{number_formatted}</span>
                      </span>
                      {retired_at ? (
                        <span className="text-sm text-soft">{t.retired}</span>
                      ) : (
                        <FlowName id={id} />
                      )}
                      <ChevronRight size={18} aria-hidden="true" className="text-soft" />
                    </Link>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </Card>
    </Page>
  )
}

function FlowName({ id }: { id: string }) {
  const t = useTexts(numberTexts)
  const type = useQuery(numberQuery(id)).data?.incoming_call_config.type
  return type && <span className="hidden text-sm text-soft sm:inline">{t[type]}</span>
}

import { useQuery } from '@tanstack/react-query'

import { numbersQuery } from '../../api/numbers.ts'
import { callTexts } from '../../i18n/calls.ts'
import { useTexts } from '../../i18n/language.tsx'
import { NARROW_INPUT } from '../../ui/field.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { OUTCOMES } from '../../wrap-up/outcomes.tsx'
import { wrapUpTexts } from '../../wrap-up/texts.ts'
import { type CallsSearch, readCallsSearch, useDebounced } from './search.ts'

interface FiltersProps {
  search: CallsSearch
  change(part: CallsSearch): void
}

export function Filters({ search, change }: FiltersProps) {
  const t = useTexts(callTexts)
  const wrapUp = useTexts(wrapUpTexts)
  const numbers = useQuery(numbersQuery()).data ?? []
  const [query, setQuery] = useDebounced(search.query ?? '', (text) => change({ query: text }))
  const [phone, setPhone] = useDebounced(search.phone ?? '', (text) => change({ phone: text }))
  const select = `${NARROW_INPUT} h-9 min-w-0 flex-1 py-0 sm:flex-none`
  return (
    <div role="search" className="mb-4 flex flex-wrap gap-2">
      <SearchBox
        label={t.search}
        value={query}
        onChange={setQuery}
        className="w-full sm:w-auto sm:min-w-60 sm:flex-1"
      />
      <input
        type="tel"
        aria-label={t.phone}
        placeholder="+45…"
        className={`${NARROW_INPUT} h-9 w-full sm:w-36`}
        value={phone}
        onChange={(event) => setPhone(event.target.value)}
      />
      <select
        aria-label={t.number}
        className={select}
        value={search.number ?? ''}
        onChange={(event) => change({ number: event.target.value })}
      >
        <option value="">{t.allNumbers}</option>
        {numbers.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <select
        aria-label={t.direction}
        className={select}
        value={search.direction ?? ''}
        onChange={(event) => change(readCallsSearch({ ...search, direction: event.target.value }))}
      >
        <option value="">{t.bothDirections}</option>
        <option value="inbound">{t.inbound}</option>
        <option value="outbound">{t.outbound}</option>
        <option value="internal">{t.internal}</option>
      </select>
      <select
        aria-label={wrapUp.outcome}
        className={select}
        value={search.outcome ?? ''}
        onChange={(event) => change(readCallsSearch({ ...search, outcome: event.target.value }))}
      >
        <option value="">{wrapUp.anyOutcome}</option>
        {OUTCOMES.map((outcome) => (
          <option key={outcome} value={outcome}>
            {wrapUp.outcomes[outcome]}
          </option>
        ))}
      </select>
    </div>
  )
}

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Phone, PhoneIncoming, PhoneMissed, PhoneOutgoing, Search } from 'lucide-react'
import { useDeferredValue, useState } from 'react'

import { type Call, callsQuery } from '../../api/calls.ts'
import { numbersQuery } from '../../api/numbers.ts'
import { callTexts } from '../../i18n/calls.ts'
import { clockTime, useDates } from '../../i18n/dates.ts'
import { useTexts } from '../../i18n/language.tsx'
import { Button } from '../../ui/button.tsx'
import { INPUT, NARROW_INPUT } from '../../ui/field.tsx'
import { excerptOf, Highlight } from '../../ui/highlight.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { useNames } from '../contacts/names.ts'

/** What the API gives at most, and what is shown at first. */
const LIMITS = { first: 20, most: 50 }

export default function CallsPage() {
  const t = useTexts(callTexts)
  const [typed, setTyped] = useState('')
  const [numberId, setNumberId] = useState('')
  const [direction, setDirection] = useState<'' | 'inbound' | 'outbound'>('')
  const [phone, setPhone] = useState('')
  const [limit, setLimit] = useState(LIMITS.first)
  const query = useDeferredValue(typed.trim())
  const other = useDeferredValue(phone.trim())
  const numbers = useQuery(numbersQuery()).data ?? []
  const found = useQuery({
    ...callsQuery({
      ...(query !== '' && { query }),
      ...(numberId !== '' && { main_number_id: numberId }),
      ...(direction !== '' && { direction }),
      ...(other !== '' && { phone_number: other }),
      limit: String(limit),
    }),
    placeholderData: keepPreviousData,
  })
  const filtered = query !== '' || numberId !== '' || direction !== '' || other !== ''
  const select = `${NARROW_INPUT} h-9 py-0`
  return (
    <Page title={t.title}>
      <div className="mb-4 flex flex-wrap gap-2">
        <div className="relative min-w-60 flex-1">
          <Search size={16} aria-hidden="true" className="absolute top-2.5 left-3 text-soft" />
          <input
            type="search"
            aria-label={t.search}
            placeholder={t.search}
            className={`${INPUT} h-9 pl-9`}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
        <input
          type="tel"
          aria-label={t.phone}
          placeholder="+45…"
          className={`${NARROW_INPUT} h-9 w-36`}
          value={phone}
          onChange={(event) => setPhone(event.target.value)}
        />
        <select
          aria-label={t.number}
          className={select}
          value={numberId}
          onChange={(event) => setNumberId(event.target.value)}
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
          value={direction}
          onChange={(event) => setDirection(event.target.value as typeof direction)}
        >
          <option value="">{t.bothDirections}</option>
          <option value="inbound">{t.inbound}</option>
          <option value="outbound">{t.outbound}</option>
        </select>
      </div>
      <Card>
        <Loaded query={found}>
          {(calls) =>
            calls.length === 0 ? (
              <EmptyState icon={Phone} title={filtered ? t.nothingFound : t.empty}>
                {filtered ? t.nothingFoundHint : t.emptyHint}
              </EmptyState>
            ) : (
              <ul className="divide-y">
                {calls.map((call) => (
                  <CallRow key={call.id} call={call} words={query} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Card>
      {found.data?.length === limit && limit < LIMITS.most && (
        <div className="mt-4 text-center">
          <Button onClick={() => setLimit(LIMITS.most)}>{t.more}</Button>
        </div>
      )}
    </Page>
  )
}

function CallRow({ call, words }: { call: Call; words: string }) {
  const t = useTexts(callTexts)
  const dates = useDates()
  const nameOf = useNames()
  const incoming = call.direction === 'inbound'
  const missed = call.state === 'ended' && call.answered_at === null
  const Icon = missed ? PhoneMissed : incoming ? PhoneIncoming : PhoneOutgoing
  const said = words === '' ? call.summary : call.transcription && excerptOf(call.transcription, words)
  return (
    <li>
      <Link
        to="/calls/$id"
        params={{ id: call.id }}
        className="flex items-start gap-3 px-4 py-3 outline-offset-[-2px] hover:bg-hover"
      >
        <Icon
          size={17}
          aria-hidden="true"
          className={`mt-0.5 shrink-0 ${missed ? 'text-wrong' : 'text-soft'}`}
        />
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <span className="font-medium">{nameOf(incoming ? call.from : call.to)}</span>
            <span className="sr-only">{incoming ? t.inbound : t.outbound}</span>
            <span className="text-sm text-soft">
              {[call.main_number_name, ...call.employees.map(({ name }) => name)].join(' · ')}
            </span>
          </p>
          {said && (
            <p className="line-clamp-2 text-sm text-soft">
              <Highlight text={said} words={words} />
            </p>
          )}
        </div>
        <div className="shrink-0 text-right text-sm">
          {call.started_at && <time dateTime={call.started_at}>{dates.brief(call.started_at)}</time>}
          <p className={missed ? 'text-wrong' : 'text-soft'}>
            {call.state !== 'ended' ? t.now : missed ? t.notAnswered : clockTime(call.duration ?? 0)}
          </p>
        </div>
      </Link>
    </li>
  )
}

import { Link } from '@tanstack/react-router'
import { PhoneIncoming, PhoneMissed, PhoneOutgoing } from 'lucide-react'

import type { Call } from '../../api/calls.ts'
import { callTexts } from '../../i18n/calls.ts'
import { clockTime, useDates } from '../../i18n/dates.ts'
import { useTexts } from '../../i18n/language.tsx'
import { ROW } from '../../keys/rows.ts'
import { useCustomerName } from '../../people/customer-name.ts'
import { OutcomeBadge } from '../../wrap-up/outcomes.tsx'
import { excerptOf } from './excerpt.ts'
import { Highlight } from './highlight.tsx'
import type { CallsSearch } from './search.ts'
import { speakerOf } from './segment.ts'

/** A call in the list; in a search, with the matching passage. */
export function CallRow({ call, search }: { call: Call; search: CallsSearch }) {
  const t = useTexts(callTexts)
  const dates = useDates()
  const nameOf = useCustomerName()
  const incoming = call.direction === 'inbound'
  const missed = call.state === 'ended' && call.answered_at === null
  const Icon = missed ? PhoneMissed : incoming ? PhoneIncoming : PhoneOutgoing
  return (
    <li>
      <Link
        to="/calls/$id"
        params={{ id: call.id }}
        search={search}
        {...ROW}
        className="flex items-start gap-3 px-4 py-3 outline-offset-[-2px] hover:bg-hover"
      >
        <Icon
          size={17}
          aria-hidden="true"
          className={`mt-0.5 shrink-0 ${missed ? 'text-wrong' : 'text-soft'}`}
        />
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <span className="font-medium">{nameOf(call, incoming ? call.from : call.to)}</span>
            <span className="sr-only">{incoming ? t.inbound : t.outbound}</span>
            <span className="text-sm text-soft">
              {[call.main_number_name, ...call.employees.map(({ name }) => name)].join(' · ')}
            </span>
            {call.wrap_up?.outcome && <OutcomeBadge outcome={call.wrap_up.outcome} />}
          </p>
          {search.query ? (
            <Found call={call} query={search.query} />
          ) : (
            <Said text={call.wrap_up?.note ?? call.summary} />
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

const Said = ({ text }: { text: string | null }) =>
  text && <p className="line-clamp-2 text-sm text-soft">{text}</p>

/** The passage with the words; without any, the summary, marked as a match by meaning. */
function Found({ call, query }: { call: Call; query: string }) {
  const t = useTexts(callTexts)
  const passage = excerptOf(call, query)
  if (!passage) {
    return (
      <>
        <p className="text-sm text-soft italic">{t.byMeaning}</p>
        <Said text={call.summary ?? call.transcription} />
      </>
    )
  }
  return (
    <p className="line-clamp-3 text-sm text-soft">
      {(passage.segment ?? passage.isNote) && (
        <span className="font-semibold">
          {passage.segment ? speakerOf(passage.segment, call, t.customer) : t.note}:{' '}
        </span>
      )}
      <Highlight text={passage.text} query={query} />
    </p>
  )
}

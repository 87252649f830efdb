import { useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useRef, useState } from 'react'

import { type Call, callQuery } from '../../api/calls.ts'
import { callTexts } from '../../i18n/calls.ts'
import { clockTime, useDates } from '../../i18n/dates.ts'
import { useTexts } from '../../i18n/language.tsx'
import { useCustomerName } from '../../people/customer-name.ts'
import { MissingPage } from '../../shell/page-loading.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Player, type PlayerHandle } from '../../ui/player/player.tsx'
import { Loaded } from '../../ui/states.tsx'
import { wrapUpTexts } from '../../wrap-up/texts.ts'
import { WrapUpSection } from '../../wrap-up/wrap-up-section.tsx'
import { type CallsSearch, readCallsSearch } from './search.ts'
import { Transcript } from './transcript.tsx'

export default function CallPage() {
  const { id = '' } = useParams({ strict: false })
  const search = readCallsSearch(useSearch({ strict: false }))
  const call = useQuery(callQuery(id))
  return (
    <Loaded query={call} missing={<MissingPage />}>
      {(call) => <CallDetails call={call} search={search} />}
    </Loaded>
  )
}

/** `search` is the list to return to. */
function CallDetails({ call, search }: { call: Call; search: CallsSearch }) {
  const t = useTexts(callTexts)
  const wrapUp = useTexts(wrapUpTexts)
  const dates = useDates()
  const nameOf = useCustomerName()
  const [heard, setHeard] = useState<number>()
  const [length, setLength] = useState<number>()
  const player = useRef<PlayerHandle>(null)
  const incoming = call.direction === 'inbound'
  const other = incoming ? call.from : call.to
  const facts = [
    incoming ? t.inbound : t.outbound,
    call.started_at && dates.whole(call.started_at),
    call.main_number_name,
    ...call.employees.map(({ name }) => name),
    call.initiated_by && t.startedBy(call.initiated_by.name),
    call.state !== 'ended' ? t.now : call.answered_at ? clockTime(call.duration ?? 0) : t.notAnswered,
  ]
  return (
    <Page
      title={nameOf(call, other)}
      lead={facts.filter(Boolean).join(' · ')}
      actions={
        <>
          <Link to="/calls" search={search} className={buttonClass()}>
            <ArrowLeft size={16} aria-hidden="true" /> {t.back}
          </Link>
          <Link to="/inbox/$phone" params={{ phone: other }} className={buttonClass()}>
            {t.conversation}
          </Link>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Card className="p-5">
          <h2 className="mb-2 font-semibold">{t.summary}</h2>
          <p className={call.summary ? 'max-w-prose' : 'text-soft'}>{call.summary ?? t.noSummary}</p>
        </Card>
        <Card className="p-5">
          <h2 className="mb-2 font-semibold">{wrapUp.title}</h2>
          <div className="max-w-prose">
            {!call.wrap_up && <p className="mb-1 text-soft">{wrapUp.none}</p>}
            <WrapUpSection callId={call.id} wrapUp={call.wrap_up} />
          </div>
        </Card>
        <Card className="p-5">
          <h2 className="mb-2 font-semibold">{t.recording}</h2>
          {call.recording_url ? (
            <Player
              ref={player}
              src={call.recording_url}
              recording={{ of: 'call', id: call.id }}
              label={t.recording}
              onLength={setLength}
              onProgress={setHeard}
            />
          ) : (
            <p className="text-soft">{t.noRecording}</p>
          )}
        </Card>
        <Card className="p-5">
          <h2 className="mb-2 font-semibold">{t.transcript}</h2>
          <Transcript
            call={call}
            heard={heard}
            length={length}
            query={search.query ?? ''}
            onPlay={call.recording_url ? (seconds) => player.current?.playFrom(seconds) : undefined}
          />
        </Card>
      </div>
    </Page>
  )
}

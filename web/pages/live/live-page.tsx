import { useQuery } from '@tanstack/react-query'
import { Maximize, Minimize } from 'lucide-react'

import { type LiveCall, parkedCallsQuery } from '../../api/calls.ts'
import { employeesQuery } from '../../api/employees.ts'
import { useDates } from '../../i18n/dates.ts'
import { useTexts } from '../../i18n/language.tsx'
import { liveTexts } from '../../i18n/live.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Loaded, SkeletonRows } from '../../ui/states.tsx'
import { LIST_TITLE, OtherCalls, WaitingList } from './call-list.tsx'
import { FiguresOfNow, FiguresOfToday } from './figures.tsx'
import { useCallsToday, useLiveCalls } from './live-calls.ts'
import { ParkedCalls } from './parked-calls.tsx'
import { People } from './people.tsx'
import { secondsSince, useNow } from './use-now.ts'
import { useWall } from './wall.ts'

/** Who talks to whom, who waits, and the figures of today; also for a screen on the wall. */
export default function LivePage() {
  const t = useTexts(liveTexts)
  const { isOnWall, toggle, zoom } = useWall()
  const Icon = isOnWall ? Minimize : Maximize
  return (
    <div style={{ zoom }}>
      <Page
        title={t.title}
        actions={
          <>
            {isOnWall && <Clock />}
            <Button onClick={toggle}>
              <Icon size={16} aria-hidden="true" /> {isOnWall ? t.leaveFullScreen : t.fullScreen}
            </Button>
          </>
        }
      >
        <Board />
      </Page>
    </div>
  )
}

function Clock() {
  const dates = useDates()
  return (
    <span className="text-2xl leading-9 font-semibold tabular-nums">
      {dates.time(new Date(useNow()).toISOString())}
    </span>
  )
}

function Board() {
  const t = useTexts(liveTexts)
  const now = useNow()
  const live = useLiveCalls()
  const today = useCallsToday()
  const employees = useQuery(employeesQuery())
  const { data: parked = [] } = useQuery(parkedCallsQuery())
  const calls = live.data?.calls ?? []
  const waiting = calls
    .filter(isWaiting)
    .toSorted((a, b) => secondsSince(b.started_at, now) - secondsSince(a.started_at, now))
  const isParked = ({ id }: LiveCall) => parked.some(({ call_id }) => call_id === id)
  const others = calls.filter((call) => !isWaiting(call) && !call.employee && !isParked(call))
  return (
    <>
      <div className="mb-5 flex flex-col gap-4 lg:wall:mb-3 lg:wall:grid lg:wall:grid-cols-2 lg:wall:gap-3">
        <FiguresOfNow
          calls={live.data && calls.length + live.data.internal_calls.length}
          waiting={live.data && waiting.length}
          longestWaitSecs={waiting[0] && secondsSince(waiting[0].started_at, now)}
          available={employees.data?.filter(({ status }) => status === 'available').length}
        />
        <FiguresOfToday today={today.data} />
      </div>
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2 wall:gap-3 lg:wall:grid-cols-[2fr_3fr]">
        <div className="flex min-w-0 flex-col gap-4 wall:gap-3">
          <WaitingList
            calls={waiting}
            now={now}
            none={
              <Loaded query={live} waiting={<SkeletonRows rows={1} />}>
                {() => <p className="px-4 py-3 text-soft">{t.noQueue}</p>}
              </Loaded>
            }
          />
          <ParkedCalls parked={parked} now={now} />
          <OtherCalls calls={others} now={now} />
        </div>
        <Card>
          <h2 className={LIST_TITLE}>{t.team}</h2>
          <Loaded query={employees}>
            {(employees) => <People employees={employees} live={live.data} now={now} />}
          </Loaded>
        </Card>
      </div>
    </>
  )
}

const isWaiting = ({ state, direction }: LiveCall) => direction === 'inbound' && state === 'queued'

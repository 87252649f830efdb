import type { CallsToday } from '../../api/calls.ts'
import { clockTime } from '../../i18n/dates.ts'
import { useTexts } from '../../i18n/language.tsx'
import { liveTexts } from '../../i18n/live.ts'

interface FiguresOfNowProps {
  /** Undefined until it is known. */
  calls: number | undefined
  waiting: number | undefined
  longestWaitSecs: number | undefined
  available: number | undefined
}

export function FiguresOfNow({ calls, waiting, longestWaitSecs, available }: FiguresOfNowProps) {
  const t = useTexts(liveTexts)
  return (
    <Figures title={t.now}>
      <Figure name={t.callsNow} value={calls} />
      <Figure name={t.waiting} value={waiting} tone={waiting ? 'warn' : 'plain'} />
      <Figure
        name={t.longest}
        value={longestWaitSecs === undefined ? undefined : clockTime(longestWaitSecs)}
      />
      <Figure name={t.available} value={available} />
    </Figures>
  )
}

/** Undefined until it is known. */
export function FiguresOfToday({ today }: { today: CallsToday | undefined }) {
  const t = useTexts(liveTexts)
  const { inbound, outbound } = today ?? {}
  const wait = inbound?.average_wait_secs ?? null
  return (
    <Figures title={t.today}>
      <Figure
        name={t.callsToday}
        value={inbound && outbound && inbound.calls + outbound.calls}
        also={inbound && outbound && t.inAndOut(inbound.calls, outbound.calls)}
      />
      <Figure name={t.answeredToday} value={inbound?.answered} />
      <Figure name={t.missedToday} value={inbound?.missed} tone={inbound?.missed ? 'wrong' : 'plain'} />
      <Figure name={t.averageWait} value={wait === null ? undefined : clockTime(wait)} />
    </Figures>
  )
}

function Figures({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className="mb-1.5 text-sm font-semibold text-soft wall:mb-1">{title}</h2>
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4 wall:gap-2">{children}</dl>
    </section>
  )
}

const TONES = {
  plain: { ground: 'bg-surface', name: 'text-soft', value: '' },
  warn: { ground: 'bg-warn-ground', name: 'text-warn', value: 'text-warn' },
  wrong: { ground: 'bg-surface', name: 'text-soft', value: 'text-wrong' },
}

interface FigureProps {
  name: string
  /** Undefined if there is none, or it is not known. */
  value: string | number | undefined
  also?: string
  tone?: keyof typeof TONES
}

function Figure({ name, value = '–', also, tone = 'plain' }: FigureProps) {
  const look = TONES[tone]
  return (
    <div
      className={`flex flex-col-reverse justify-end rounded-xl border px-4 py-3 wall:px-3 wall:py-2 ${look.ground}`}
    >
      <dt className={`text-sm wall:leading-4 ${look.name}`}>{name}</dt>
      <dd
        className={`flex flex-wrap items-baseline gap-x-2 text-4xl font-semibold tabular-nums ${look.value}`}
      >
        <span>{value}</span>
        {also !== undefined && <span className="text-sm font-normal text-soft lg:wall:hidden">{also}</span>}
      </dd>
    </div>
  )
}

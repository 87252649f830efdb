import { useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'

import { type Trunk, trunksQuery } from '../../api/trunks.ts'
import { useDates } from '../../i18n/dates.ts'
import { useTexts } from '../../i18n/language.tsx'
import { trunkTexts } from '../../i18n/trunks.ts'
import { Button } from '../../ui/button.tsx'
import { Badge, Card, Page, type Tone } from '../../ui/page.tsx'
import { EmptyState, Loaded } from '../../ui/states.tsx'

type TrunkAtEdge = Trunk['edges'][number]

/** The carriers, for operators. */
export default function TrunksPage() {
  const t = useTexts(trunkTexts)
  const trunks = useQuery(trunksQuery())
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <Button onClick={() => void trunks.refetch()}>
          <RefreshCw size={16} aria-hidden="true" /> {t.refresh}
        </Button>
      }
    >
      <Loaded query={trunks}>
        {({ trunks, edges, silent_edges }) => (
          <div className="flex flex-col gap-4">
            {silent_edges > 0 && (
              <p role="status" className="rounded-xl bg-warn-ground px-4 py-3 text-warn">
                {t.silent(silent_edges)}
              </p>
            )}
            {trunks.length === 0 && (
              <Card>
                <EmptyState drawing="connection" title={edges === 0 ? t.noEdge : t.empty}>
                  {edges === 0 ? t.noEdgeHint : t.emptyHint}
                </EmptyState>
              </Card>
            )}
            {trunks.map((trunk) => (
              <TrunkCard key={trunk.name} trunk={trunk} />
            ))}
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function TrunkCard({ trunk: { name, edges } }: { trunk: Trunk }) {
  return (
    <Card>
      <h2 className="border-b px-4 py-3 font-semibold">{name}</h2>
      <ul className="divide-y">
        {edges.map((edge) => (
          <li key={edge.edge}>
            <State at={edge} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

const HOST_TONES: Record<TrunkAtEdge['hosts'][number]['state'], Tone> = {
  up: 'good',
  down: 'wrong',
  not_probed: 'plain',
}

const REGISTRATION_TONES: Record<TrunkAtEdge['registration'], Tone> = {
  none: 'plain',
  registering: 'warn',
  registered: 'good',
  failed: 'wrong',
}

function State({ at }: { at: TrunkAtEdge }) {
  const t = useTexts(trunkTexts)
  const dates = useDates()
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 px-4 py-3 lg:grid-cols-3">
      <Fact name={t.hosts}>
        {at.hosts.map(({ address, state, checked_at }) => (
          <span key={address} className="flex flex-wrap items-center gap-x-2">
            <span className="break-all">{address}</span>
            <Badge tone={HOST_TONES[state]}>{t[state]}</Badge>
            {checked_at && <span className="text-sm text-soft">{t.checked(dates.time(checked_at))}</span>}
          </span>
        ))}
      </Fact>
      <Fact name={t.transport}>{at.transport?.toUpperCase() ?? t.unknown}</Fact>
      <Fact name={t.registration}>
        <Badge tone={REGISTRATION_TONES[at.registration]}>{t[at.registration]}</Badge>{' '}
        {at.registered_until && (
          <span className="text-sm text-soft">{t.until(dates.time(at.registered_until))}</span>
        )}
      </Fact>
      <Fact name={t.calls}>
        <span className="tabular-nums">{at.calls ?? t.unknown}</span>
      </Fact>
      <Fact name={t.lastFailure}>
        <Failure failure={at.last_failure} />
      </Fact>
      <Fact name={t.edge}>{at.edge}</Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-soft">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Failure({ failure }: { failure: TrunkAtEdge['last_failure'] }) {
  const t = useTexts(trunkTexts)
  const dates = useDates()
  if (!failure) return t.noFailure
  const { of, status, address, at } = failure
  const what = {
    options: () => t.options(address ?? ''),
    registration: () => (status === null ? t.registrationUnanswered : t.registrationRefused(status)),
    call: () => (status === null ? t.callUnanswered : t.callRefused(status)),
  }[of]()
  return (
    <>
      {what} <span className="block text-sm text-soft">{dates.whole(at)}</span>
    </>
  )
}

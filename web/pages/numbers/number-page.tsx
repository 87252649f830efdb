import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'

import { type BusinessNumber, numberQuery } from '../../api/numbers.ts'
import { useTexts } from '../../i18n/language.tsx'
import { numberTexts } from '../../i18n/numbers.ts'
import { MissingPage } from '../../shell/page-loading.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Loaded } from '../../ui/states.tsx'
import { HoursEditor } from './hours/hours-editor.tsx'
import { NumberSettings } from './number-settings.tsx'
import { isAudioPending } from './pending-audio.ts'
import { RoutingDiagram } from './routing/routing-diagram.tsx'

/** How often it is asked whether the sound of new words is made. */
const LIMITS = { soundAskedMs: 3_000 }

export default function NumberPage() {
  const { id = '' } = useParams({ strict: false })
  const number = useQuery({
    ...numberQuery(id),
    refetchInterval: ({ state }) => state.data && isAudioPending(state.data) && LIMITS.soundAskedMs,
  })
  return (
    <Loaded query={number} missing={<MissingPage />}>
      {(number) => <NumberDetails key={number.id} number={number} />}
    </Loaded>
  )
}

function NumberDetails({ number }: { number: BusinessNumber }) {
  const t = useTexts(numberTexts)
  return (
    <Page
      title={number.name}
      lead={`${number.number_formatted} · ${t.sms} ${number.messaging.sms.can_send ? t.canSend : t.cannotSend}`}
      actions={
        <Link to="/numbers" className={buttonClass()}>
          <ArrowLeft size={16} aria-hidden="true" /> {t.back}
        </Link>
      }
    >
      {number.retired_at && (
        <p role="status" className="mb-5 rounded-lg border bg-surface px-4 py-3 text-sm">
          <strong>{t.retired}</strong> · {t.retiredHint}
        </p>
      )}
      <RoutingDiagram number={number} />
      <div className="mt-6 grid items-start gap-5 md:grid-cols-2">
        <Card className="p-5">
          <h2 className="mb-1 text-lg font-semibold">{t.hours}</h2>
          <HoursEditor number={number} />
        </Card>
        <Card className="p-5">
          <h2 className="mb-3 text-lg font-semibold">{t.settings}</h2>
          <NumberSettings number={number} />
        </Card>
      </div>
    </Page>
  )
}

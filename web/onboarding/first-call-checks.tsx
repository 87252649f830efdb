import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, CircleX, RefreshCw, TriangleAlert } from 'lucide-react'

import { useChange } from '../api/change.ts'
import { checkInstallation, type InstallationCheck, installationChecksQuery } from '../api/onboarding.ts'
import { useTexts } from '../i18n/language.tsx'
import { Button } from '../ui/button.tsx'
import { onboardingTexts } from './texts.ts'

/** What the installation lacks for a first real call, as `bellhop doctor` finds it. */
export function FirstCallChecks() {
  const t = useTexts(onboardingTexts)
  const queries = useQueryClient()
  const { data } = useQuery(installationChecksQuery())
  const again = useChange(checkInstallation, {
    touches: [],
    onDone: (checked) => queries.setQueryData(installationChecksQuery().queryKey, checked),
  })
  const missing = data?.checks.filter(({ status }) => status !== 'ok')
  const isForOperators = missing?.some(({ findings }) => findings === null) ?? false
  return (
    <section aria-label={t.checksTitle} className="border-t bg-ground/60 px-4 py-4 md:px-5">
      <div className="mb-2 flex items-center gap-3">
        <h3 className="flex-1 text-sm font-semibold">{t.checksTitle}</h3>
        <Button size="small" disabled={!data || again.isPending} onClick={() => again.mutate()}>
          <RefreshCw
            size={14}
            aria-hidden="true"
            className={again.isPending ? 'motion-safe:animate-spin' : undefined}
          />
          {t.checkAgain}
        </Button>
      </div>
      <div role="status">
        {!missing && <p className="text-sm text-soft">{t.checking}</p>}
        {missing?.length === 0 && (
          <p className="flex items-center gap-2 text-sm text-good">
            <CircleCheck size={17} aria-hidden="true" className="shrink-0" /> {t.allReady}
          </p>
        )}
        {missing && missing.length > 0 && (
          <ul className="flex flex-col gap-2.5">
            {missing.map((check) => (
              <MissingCheck key={check.check} {...check} />
            ))}
          </ul>
        )}
      </div>
      {isForOperators && <p className="mt-3 text-sm text-soft">{t.forOperators}</p>}
    </section>
  )
}

/** Operators also read the sentences of the doctor, which are in English. */
function MissingCheck({ check, status, findings }: InstallationCheck) {
  const t = useTexts(onboardingTexts)
  const Icon = status === 'problem' ? CircleX : TriangleAlert
  const wrong = findings?.filter((finding) => finding.status !== 'ok') ?? []
  return (
    <li className="flex gap-2 text-sm">
      <Icon
        size={17}
        aria-hidden="true"
        className={`mt-0.5 shrink-0 ${status === 'problem' ? 'text-wrong' : 'text-warn'}`}
      />
      <div className="min-w-0">
        <p>{t[check]}</p>
        {wrong.map(({ message, action }) => (
          <p key={message} lang="en" className="text-sm break-words text-soft">
            {message} {action && <strong className="font-medium text-ink">{action}</strong>}
          </p>
        ))}
      </div>
    </li>
  )
}

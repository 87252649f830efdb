import { useQuery } from '@tanstack/react-query'

import { employeesQuery } from '../../../api/employees.ts'
import { useTexts } from '../../../i18n/language.tsx'
import { numberTexts } from '../../../i18n/numbers.ts'
import { walkTexts } from './texts.ts'
import type { Heard, Walk } from './walk.ts'

/** What was heard and done so far, newest last. */
export function Captions({ walk, isSpeaking }: { walk: Walk; isSpeaking: boolean }) {
  const t = useTexts(walkTexts)
  return (
    <ol
      aria-label={t.captions}
      aria-live="polite"
      className="flex min-h-32 flex-col gap-2 rounded-lg bg-ground p-3 text-sm"
    >
      {walk.heard.map((heard, at) => (
        <li key={at}>
          <Caption heard={heard} />
        </li>
      ))}
      {isSpeaking && <li className="text-soft">{t.speaks}</li>}
      {walk.in === 'end' && (
        <li className="font-semibold">{walk.why === 'answered' ? t.answered : t.hungUp}</li>
      )}
    </ol>
  )
}

function Caption({ heard }: { heard: Heard }) {
  const t = useTexts(walkTexts)
  const { seconds } = useTexts(numberTexts)
  switch (heard.is) {
    case 'speech':
      return (
        <>
          “{heard.text}”{heard.isStandIn && <span className="block text-xs text-soft">{t.standIn}</span>}
        </>
      )
    case 'key':
      return <em className="text-accent">{t.pressed(heard.digit)}</em>
    case 'silence':
      return <em className="text-accent">{t.silent}</em>
    case 'ringing':
      return <Ringing ids={heard.employeeIds} />
    case 'noAnswer':
      return <em className="text-accent">{t.noAnswer(seconds(heard.afterSecs))}</em>
    case 'beep':
      return <span className="text-soft">{t.beep}</span>
  }
}

function Ringing({ ids }: { ids: string[] }) {
  const t = useTexts(walkTexts)
  const employees = useQuery(employeesQuery()).data ?? []
  const names = employees.filter(({ id }) => ids.includes(id)).map(({ name }) => name)
  return <span className="text-soft">{t.rings(names.join(', ') || t.nobody)}</span>
}

import type { Shown } from '../../../api/team-inbox.ts'
import { useTexts } from '../../../i18n/language.tsx'
import { teamTexts } from '../../../i18n/team-inbox.ts'

const SHOWN: Shown[] = ['open', 'mine', 'unassigned', 'missed', 'voicemails', 'mentions', 'snoozed', 'done']

interface FiltersProps {
  shown: Shown
  unseenMentions: number
  onChoose(shown: Shown): void
}

/** Which threads are listed: one choice, and so one tab stop. */
export function Filters({ shown, unseenMentions, onChoose }: FiltersProps) {
  const t = useTexts(teamTexts)
  return (
    <fieldset className="flex flex-wrap gap-0.5">
      <legend className="sr-only">{t.show}</legend>
      {SHOWN.map((show) => (
        <label
          key={show}
          className="flex cursor-pointer items-center gap-1 rounded-full px-1.5 py-0.5 text-sm font-medium text-soft hover:bg-hover has-checked:bg-accent-ground has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-focus"
        >
          <input
            type="radio"
            name="shown"
            className="sr-only"
            checked={show === shown}
            onChange={() => onChoose(show)}
          />
          {t.shown[show]}
          {show === 'mentions' && unseenMentions > 0 && (
            <span className="rounded-full bg-accent px-1.5 text-xs font-bold text-on-accent">
              {unseenMentions}
            </span>
          )}
        </label>
      ))}
    </fieldset>
  )
}

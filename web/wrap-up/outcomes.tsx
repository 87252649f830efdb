import type { WrapUp } from '../api/calls.ts'
import { useTexts } from '../i18n/language.tsx'
import { Badge, type Tone } from '../ui/page.tsx'
import { wrapUpTexts } from './texts.ts'

export type Outcome = NonNullable<WrapUp['outcome']>

/** In the order of their keys. */
export const OUTCOMES = [
  'resolved',
  'call_back',
  'left_message',
  'wrong_number',
  'spam',
] as const satisfies Outcome[]

const TONES: Record<Outcome, Tone> = {
  resolved: 'good',
  call_back: 'warn',
  left_message: 'accent',
  wrong_number: 'plain',
  spam: 'plain',
}

export function OutcomeBadge({ outcome }: { outcome: Outcome }) {
  const t = useTexts(wrapUpTexts)
  return <Badge tone={TONES[outcome]}>{t.outcomes[outcome]}</Badge>
}

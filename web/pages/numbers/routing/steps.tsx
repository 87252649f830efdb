import { useQuery } from '@tanstack/react-query'
import { Bell, MessageCircle } from 'lucide-react'
import type { ReactNode } from 'react'

import { employeesQuery } from '../../../api/employees.ts'
import { useTexts } from '../../../i18n/language.tsx'
import { numberTexts } from '../../../i18n/numbers.ts'
import { Player } from '../../../ui/player/player.tsx'

/** One thing that happens to a caller, as a line of a node. */
export const Step = ({ icon, children }: { icon: ReactNode; children: ReactNode }) => (
  <span className="flex gap-2 text-sm">
    <span aria-hidden="true" className="mt-0.5 shrink-0 text-accent">
      {icon}
    </span>
    <span className="min-w-0 flex-1">{children}</span>
  </span>
)

export function SayStep({ text }: { text: string }) {
  const t = useTexts(numberTexts)
  return (
    <Step icon={<MessageCircle size={15} />}>
      <span className="sr-only">{t.says} </span>
      {text.trim() === '' ? (
        <em className="text-soft">{t.nothingSaid}</em>
      ) : (
        <span className="break-words">“{text}”</span>
      )}
    </Step>
  )
}

export function RingStep({ ids }: { ids: string[] }) {
  const t = useTexts(numberTexts)
  const employees = useQuery(employeesQuery()).data ?? []
  const names = employees.filter(({ id }) => ids.includes(id)).map(({ name }) => name)
  return (
    <Step icon={<Bell size={15} />}>
      {t.rings} <strong className="font-semibold">{names.join(', ') || t.nobody}</strong>
    </Step>
  )
}

/** The audio of a text by its text: null while it is being prepared, undefined for one that is not saved. */
export type SpokenAudio = (text: string) => string | null | undefined

/** What callers hear, once the text is saved. */
export function Audio({ text, audioOf }: { text: string; audioOf: SpokenAudio }) {
  const t = useTexts(numberTexts)
  const audio = audioOf(text)
  if (audio === undefined) return undefined
  if (audio === null) return <p className="text-xs text-soft">{t.noAudio}</p>
  return <Player src={audio} label={`${t.hear}: ${text}`} />
}

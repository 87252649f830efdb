import { useQuery } from '@tanstack/react-query'
import { Bell, MessageCircle, PhoneOff, Voicemail } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'

import { employeesQuery } from '../../../api/employees.ts'
import type { Flow } from '../../../api/numbers.ts'
import { useTexts } from '../../../i18n/language.tsx'
import { numberTexts } from '../../../i18n/numbers.ts'
import { Player } from '../../../ui/player/player.tsx'

/** The steps from top to bottom, with the branches of a menu side by side. */
export function FlowDiagram({ flow }: { flow: Flow }): ReactElement {
  const t = useTexts(numberTexts)
  switch (flow.type) {
    case 'TransferConfig':
      return <Ring ids={flow.employee_ids} />
    case 'WelcomeTransferConfig':
      return (
        <Steps>
          <Say text={flow.welcome} audio={flow.welcome_audio_url} />
          <Ring ids={flow.employee_ids} />
        </Steps>
      )
    case 'VoicemailConfig':
      return (
        <Steps>
          <Say text={flow.greeting} audio={flow.greeting_audio_url} />
          <Step icon={<Voicemail size={15} />}>{t.recordsMessage}</Step>
        </Steps>
      )
    case 'RejectConfig':
      return (
        <Steps>
          <Say text={flow.message} audio={flow.message_audio_url} />
          <Step icon={<PhoneOff size={15} />}>{t.hangsUp}</Step>
        </Steps>
      )
    case 'PhoneMenuConfig':
      return (
        <Steps>
          <Say text={flow.welcome} audio={flow.welcome_audio_url} />
          <ul className="flex flex-col gap-2 border-l-2 border-accent/50 pl-3">
            {flow.menu_options.map((option) => (
              <li key={option.id} className="relative">
                <span
                  aria-hidden="true"
                  className="absolute top-3.5 -left-3 w-3 border-t-2 border-accent/50"
                />
                <div className="rounded-lg border bg-ground p-2.5">
                  <p className="mb-1.5 flex items-center gap-2 text-sm font-semibold">
                    <kbd
                      aria-hidden="true"
                      className="grid size-6 place-items-center rounded-md bg-accent font-sans text-on-accent"
                    >
                      {option.digit}
                    </kbd>
                    <span className="sr-only">{t.press(option.digit)}</span>
                    {t[option.action_type]}
                  </p>
                  <Steps>
                    {option.prompt !== null && <Say text={option.prompt} audio={option.prompt_audio_url} />}
                    {option.employee_ids.length > 0 && <Ring ids={option.employee_ids} />}
                  </Steps>
                </div>
              </li>
            ))}
          </ul>
        </Steps>
      )
  }
}

const Steps = ({ children }: { children: ReactNode }) => <div className="flex flex-col gap-2">{children}</div>

const Step = ({ icon, children }: { icon: ReactNode; children: ReactNode }) => (
  <div className="flex gap-2 text-sm">
    <span aria-hidden="true" className="mt-0.5 shrink-0 text-accent">
      {icon}
    </span>
    <div className="min-w-0 flex-1">{children}</div>
  </div>
)

function Say({ text, audio }: { text: string; audio: string | null }) {
  const t = useTexts(numberTexts)
  return (
    <Step icon={<MessageCircle size={15} />}>
      <p className="sr-only">{t.says}</p>
      <p className="mb-1 break-words">“{text}”</p>
      {audio ? (
        <Player src={audio} label={`${t.hear}: ${text}`} />
      ) : (
        <p className="text-xs text-soft">{t.noAudio}</p>
      )}
    </Step>
  )
}

function Ring({ ids }: { ids: string[] }) {
  const t = useTexts(numberTexts)
  const employees = useQuery(employeesQuery()).data ?? []
  const names = employees.filter(({ id }) => ids.includes(id)).map(({ name }) => name)
  return (
    <Step icon={<Bell size={15} />}>
      {t.rings} <strong className="font-semibold">{names.join(', ') || t.nobody}</strong>
    </Step>
  )
}

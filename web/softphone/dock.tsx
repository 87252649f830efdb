import { ChevronDown, ChevronUp } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'

import { CallerContext } from '../caller-context/caller-context.tsx'
import { useTexts } from '../i18n/language.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { CallCard } from './cards/call-card.tsx'
import { EndedCard } from './cards/ended-card.tsx'
import { IncomingCard } from './cards/incoming-card.tsx'
import { usePendingWrapUps } from './cards/pending-wrap-ups.ts'
import { WrapUpPanel } from './cards/wrap-up-panel.tsx'
import { useCoworkerOf } from './dialing/coworkers.ts'
import { DialPad } from './dialing/dial-pad.tsx'
import { onDialNumber } from './dialing/dial.ts'
import { useConversationOnAnswer } from './open-conversation.ts'
import { isCallBeginning, onOtherTabs } from './phone/phone-storage.ts'
import type { Phone } from './phone/phone.ts'
import { hasCall, type OffReason, type PhoneCall } from './phone/state.ts'
import type { PhoneView } from './phone/view.ts'
import { usePushRenewal } from './push/use-push.ts'
import { useRingNotifications } from './ring-notifications.ts'
import { SettingsButton } from './settings.tsx'
import { useShortcuts } from './shortcuts.ts'
import { APPEARANCES, useStatusText } from './status/appearance.ts'
import { StatusControl } from './status/status-control.tsx'
import { usePresenceAfterReconnect, useStatus } from './status/use-status.ts'
import { phoneTexts } from './texts.ts'
import { TryIt } from './try-it.tsx'

/** The phone at the edge of every page: a button while idle, a card during a call. */
export function Dock({ phone, employeeId }: { phone: Phone; employeeId: string }) {
  const t = useTexts(phoneTexts)
  const view = useSyncExternalStore(phone.subscribe, phone.view)
  const status = useStatus(phone, employeeId)
  const { title, whole } = useStatusText(status)
  const { icon: Icon } = APPEARANCES[status.is]
  const [isOpen, setOpen] = useState(false)
  const [number, setNumber] = useState('')
  useShortcuts(phone)
  useRingNotifications(phone)
  useConversationOnAnswer(phone)
  usePresenceAfterReconnect(phone, employeeId)
  const { pending, leave, touch } = usePendingWrapUps(phone)
  usePushRenewal(employeeId)
  useEffect(
    () =>
      onDialNumber((wanted) => {
        setNumber(wanted)
        setOpen(true)
      }),
    [],
  )
  const { state } = view
  const isShown = isOpen || hasCall(state)
  return (
    <section
      aria-label={t.phone}
      data-phone={state.in}
      className="pointer-events-none fixed right-3 bottom-16 z-30 flex max-w-[calc(100vw-1.5rem)] flex-col items-end gap-2 md:right-5 md:bottom-5"
    >
      <p role="status" className="sr-only">
        {whole}
      </p>
      {isShown || pending.length > 0 ? (
        <div className="pointer-events-auto flex max-h-[80dvh] w-80 max-w-full flex-col overflow-y-auto rounded-2xl border bg-raised shadow-float">
          <header className="flex items-center gap-1 border-b px-3 py-1.5">
            <div className="min-w-0 flex-1">
              <StatusControl phone={phone} employeeId={employeeId} side="top" />
            </div>
            <SettingsButton phone={phone} view={view} employeeId={employeeId} />
            {isOpen && !hasCall(state) && (
              <IconButton label={t.close} onClick={() => setOpen(false)}>
                <ChevronDown size={18} />
              </IconButton>
            )}
            {/* Whoever has yet to note something may call somebody first. */}
            {!isShown && (
              <IconButton label={t.open} onClick={() => setOpen(true)}>
                <ChevronUp size={18} />
              </IconButton>
            )}
          </header>
          {isShown && (
            <>
              <MicrophoneNotice view={view} />
              <Body
                phone={phone}
                view={view}
                number={number}
                setNumber={setNumber}
                isFollowed={hasCall(state) && pending.some(({ call }) => call.id === state.call.id)}
              />
            </>
          )}
          {pending.map((one, index) => (
            <WrapUpPanel
              key={one.call.id}
              pending={one}
              employeeId={employeeId}
              takesKeys={index === 0}
              onTouch={() => touch(one.call.id)}
              onClose={() => leave(one.call.id)}
            />
          ))}
        </div>
      ) : (
        <Button
          look={status.is === 'ready' ? 'main' : 'quiet'}
          className="pointer-events-auto h-11 rounded-full! px-4 shadow-float wall:hidden"
          aria-label={`${t.open}: ${whole}`}
          onClick={() => setOpen(true)}
        >
          <Icon size={18} aria-hidden="true" />
          <span className="hidden sm:inline">{title}</span>
        </Button>
      )}
    </section>
  )
}

interface BodyProps {
  phone: Phone
  view: PhoneView
  number: string
  setNumber(number: string): void
  /** By what is noted about the same call. */
  isFollowed: boolean
}

function Body({ phone, view, number, setNumber, isFollowed }: BodyProps) {
  const { state } = view
  switch (state.in) {
    case 'off':
      return <Off phone={phone} why={state.why} />
    case 'connecting':
      return <Connecting />
    case 'ready':
      return (
        <>
          <DialPad phone={phone} number={number} setNumber={setNumber} />
          <TryIt />
        </>
      )
    case 'ringing':
      return <IncomingCard phone={phone} call={state.call} />
    case 'ended':
      return <EndedCard phone={phone} call={state.call} why={state.why} isBrief={isFollowed} />
    default:
      return (
        <>
          <CallCard phone={phone} state={state} microphone={view.microphone} />
          <CustomerContext call={state.call} />
        </>
      )
  }
}

/** Nothing for a coworker. */
function CustomerContext({ call }: { call: PhoneCall }) {
  return useCoworkerOf(call) ? null : <CallerContext phone={call.other} />
}

function Off({ phone, why }: { phone: Phone; why: OffReason }) {
  const t = useTexts(phoneTexts)
  switch (why) {
    case 'unsupported':
      return null
    case 'other_tab':
      return <InOtherTab phone={phone} />
    default:
      return <TurnOn hint={t.offHint} label={t.switchOn} onClick={() => phone.switchOn()} />
  }
}

function InOtherTab({ phone }: { phone: Phone }) {
  const t = useTexts(phoneTexts)
  const isBusy = useSyncExternalStore(onOtherTabs, isCallBeginning)
  return (
    <TurnOn
      hint={isBusy ? t.otherTabRings : t.otherTabHint}
      label={t.useHere}
      disabled={isBusy}
      onClick={() => phone.switchOn()}
    />
  )
}

interface TurnOnProps {
  hint: string
  label: string
  disabled?: boolean
  onClick(): void
}

const TurnOn = ({ hint, label, disabled, onClick }: TurnOnProps) => (
  <div className="flex flex-col gap-3 p-4">
    <p className="text-sm text-soft">{hint}</p>
    <Button look="main" disabled={disabled} onClick={onClick}>
      {label}
    </Button>
  </div>
)

function Connecting() {
  const t = useTexts(phoneTexts)
  return <p className="p-4 text-sm text-soft">{navigator.onLine ? t.connectingHint : t.offline}</p>
}

function MicrophoneNotice({ view }: { view: PhoneView }) {
  const t = useTexts(phoneTexts)
  if (!view.microphoneProblem) return null
  return (
    <p role="alert" className="bg-wrong-ground px-4 py-2 text-sm text-wrong">
      {t.microphone[view.microphoneProblem]}
    </p>
  )
}

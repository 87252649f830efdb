import { Grip, Mic, MicOff, Pause, PhoneForwarded, Play } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'

import { useTexts } from '../../i18n/language.tsx'
import { useCoworkerOf } from '../dialing/coworkers.ts'
import { Keypad } from '../dialing/keypad.tsx'
import { HangUp } from '../hang-up.tsx'
import type { Phone } from '../phone/phone.ts'
import type { PhoneState } from '../phone/state.ts'
import { useNumberName } from '../queries.ts'
import { phoneTexts } from '../texts.ts'
import { TransferPanel } from '../transfer/transfer-panel.tsx'
import { LevelMeter } from './level-meter.tsx'
import { usePutThrough } from './put-through.ts'
import { RecordingControl } from './recording-control.tsx'
import { RemoteParty } from './remote-party.tsx'

type Talking = Extract<PhoneState, { in: 'dialling' | 'talking' | 'held' }>

interface CallCardProps {
  phone: Phone
  state: Talking
  microphone: MediaStream | null
}

/** A live call, or one that is being dialled. */
export function CallCard({ phone, state, microphone }: CallCardProps) {
  const t = useTexts(phoneTexts)
  const number = useNumberName(state.call.number)
  const [panel, setPanel] = useState<'keypad' | 'transfer'>()
  const toggle = (wanted: 'keypad' | 'transfer') => setPanel(panel === wanted ? undefined : wanted)
  const isInternal = useCoworkerOf(state.call) !== undefined
  usePutThrough(phone, state.call)
  const isUp = state.in !== 'dialling'
  const isHeard = state.in === 'dialling' || state.isHeard
  return (
    <div className="flex flex-col gap-3 p-4">
      <div className="text-center">
        <RemoteParty call={state.call} />
        {number !== undefined && <p className="text-sm text-soft">{number}</p>}
        {state.in !== 'talking' && <p className="mt-1 text-sm font-semibold">{t[state.in]}</p>}
        {isUp && <Timer since={state.since} />}
      </div>
      {!(state.isOnline && isHeard) && (
        <p role="alert" className="rounded-lg bg-warn-ground px-3 py-2 text-sm text-warn">
          {isHeard ? t.lineDown : t.soundDown}
        </p>
      )}
      {isUp && (
        <div className="grid grid-cols-4 gap-1.5">
          <Control
            label={state.isMuted ? t.unmute : t.mute}
            isOn={state.isMuted}
            onClick={() => phone.toggleMute()}
          >
            {state.isMuted ? <MicOff size={18} /> : <Mic size={18} />}
          </Control>
          <Control
            label={state.in === 'held' ? t.resume : t.hold}
            isOn={state.in === 'held'}
            disabled={!state.isOnline}
            onClick={() => phone.toggleHold()}
          >
            {state.in === 'held' ? <Play size={18} /> : <Pause size={18} />}
          </Control>
          <Control label={t.keypad} isOn={panel === 'keypad'} onClick={() => toggle('keypad')}>
            <Grip size={18} />
          </Control>
          {!isInternal && (
            <Control label={t.transfer} isOn={panel === 'transfer'} onClick={() => toggle('transfer')}>
              <PhoneForwarded size={18} />
            </Control>
          )}
        </div>
      )}
      {isUp && !isInternal && state.call.id !== null && <RecordingControl callId={state.call.id} />}
      {microphone && isUp && <LevelMeter stream={microphone} />}
      {panel === 'keypad' && isUp && (
        <Keypad disabled={!state.isOnline} onPress={(key) => phone.press(key)} />
      )}
      <TransferPanel callId={state.call.id} isOpen={panel === 'transfer'} />
      {/* Always visible, also while a long panel scrolls. */}
      <div className="sticky bottom-0 -mx-4 -mb-4 grid bg-raised px-4 pt-1 pb-4">
        <HangUp label={t.hangUp} onClick={() => phone.hangUp()} />
      </div>
    </div>
  )
}

interface ControlProps {
  label: string
  isOn: boolean
  disabled?: boolean
  onClick(): void
  children: ReactNode
}

function Control({ label, isOn, disabled, onClick, children }: ControlProps) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      disabled={disabled}
      onClick={onClick}
      className="flex h-14 flex-col items-center justify-center gap-1 rounded-lg text-xs border bg-surface enabled:hover:bg-hover disabled:opacity-50 aria-pressed:border-accent aria-pressed:bg-accent-ground"
    >
      {children}
      {label}
    </button>
  )
}

const two = (value: number) => String(value).padStart(2, '0')

/** The duration of the call. */
function Timer({ since }: { since: number }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.floor((now - since) / 1_000))
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  return (
    <p role="timer" aria-live="off" className="mt-1 font-mono text-sm tabular-nums">
      {hours > 0 && `${hours}:`}
      {two(minutes)}:{two(seconds % 60)}
    </p>
  )
}

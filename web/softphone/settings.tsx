import { Settings } from 'lucide-react'
import { useEffect, useState } from 'react'

import { useTexts } from '../i18n/language.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { SelectField } from '../ui/field.tsx'
import { LevelMeter } from './cards/level-meter.tsx'
import {
  closeMicrophone,
  type Devices,
  listDevices,
  MicrophoneError,
  type MicrophoneProblem,
  openMicrophone,
} from './phone/audio/microphone.ts'
import { notificationState, requestNotifications } from './phone/notifications.ts'
import { chosenDevice } from './phone/phone-storage.ts'
import type { Phone } from './phone/phone.ts'
import type { PhoneView } from './phone/view.ts'
import { PushChoice } from './push/push-choice.tsx'
import { phoneTexts } from './texts.ts'

interface SettingsButtonProps {
  phone: Phone
  view: PhoneView
  employeeId: string
}

export function SettingsButton({ phone, view, employeeId }: SettingsButtonProps) {
  const t = useTexts(phoneTexts)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton label={t.settings} onClick={() => setOpen(true)}>
        <Settings size={18} />
      </IconButton>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={t.settings}>
        <DeviceChoice phone={phone} />
        <MicrophoneTest />
        <NoticeChoice />
        <PushChoice employeeId={employeeId} />
        <p className="mb-4 text-sm text-soft">{t.shortcuts}</p>
        <p className="mb-4 text-sm text-soft">{t.codes}</p>
        {view.state.in !== 'off' && (
          <Button
            onClick={() => {
              phone.switchOff()
              setOpen(false)
            }}
          >
            {t.switchOff}
          </Button>
        )}
      </Dialog>
    </>
  )
}

const NONE: Devices = { microphones: [], speakers: [] }

function useDevices(): Devices {
  const [devices, setDevices] = useState(NONE)
  useEffect(() => {
    const look = () => void listDevices().then(setDevices)
    look()
    navigator.mediaDevices?.addEventListener('devicechange', look)
    return () => navigator.mediaDevices?.removeEventListener('devicechange', look)
  }, [])
  return devices
}

function DeviceChoice({ phone }: { phone: Phone }) {
  const t = useTexts(phoneTexts)
  const { microphones, speakers } = useDevices()
  const choices = [
    ['microphone', t.microphoneChoice, microphones],
    ...(phone.canChooseSpeaker() ? [['speaker', t.speakerChoice, speakers] as const] : []),
  ] as const
  return choices.map(([kind, label, devices]) => (
    <SelectField
      key={kind}
      label={label}
      defaultValue={chosenDevice(kind) ?? ''}
      onChange={(event) => void phone.choose(kind, event.target.value)}
    >
      <option value="">{t.usual}</option>
      {devices
        .filter(({ deviceId }) => deviceId !== '' && deviceId !== 'default')
        .map(({ deviceId, label }) => (
          <option key={deviceId} value={deviceId}>
            {label}
          </option>
        ))}
    </SelectField>
  ))
}

/** Before a call, so that nobody has to find out in one. */
function MicrophoneTest() {
  const t = useTexts(phoneTexts)
  const [stream, setStream] = useState<MediaStream>()
  const [problem, setProblem] = useState<MicrophoneProblem>()
  useEffect(() => () => closeMicrophone(stream), [stream])
  const test = () =>
    openMicrophone(chosenDevice('microphone')).then(
      (opened) => {
        setProblem(undefined)
        setStream(opened)
      },
      (error: unknown) => setProblem(error instanceof MicrophoneError ? error.problem : 'busy'),
    )
  return (
    <div className="mb-4 flex flex-col gap-2">
      {stream && <LevelMeter stream={stream} />}
      {problem && (
        <p role="alert" className="text-sm text-wrong">
          {t.microphone[problem]}
        </p>
      )}
      <Button className="self-start" onClick={() => (stream ? setStream(undefined) : void test())}>
        {stream ? t.stopTest : t.testMicrophone}
      </Button>
    </div>
  )
}

function NoticeChoice() {
  const t = useTexts(phoneTexts)
  const [permission, setPermission] = useState(notificationState)
  if (permission === 'unsupported') return null
  return (
    <div className="mb-4 flex items-center justify-between gap-3 text-sm">
      <span className="font-semibold">{t.notices}</span>
      {permission === 'default' && (
        <Button size="small" onClick={() => void requestNotifications().then(setPermission)}>
          {t.noticesAllow}
        </Button>
      )}
      {permission === 'granted' && <span className="text-good">{t.noticesOn}</span>}
      {permission === 'denied' && <span className="text-soft">{t.noticesDenied}</span>}
    </div>
  )
}

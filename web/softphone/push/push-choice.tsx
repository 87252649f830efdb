import { useEffect, useState } from 'react'

import { useErrorText } from '../../i18n/errors.ts'
import { useLanguage, useTexts } from '../../i18n/language.tsx'
import { SwitchField } from '../../ui/field.tsx'
import { pushStateOf, type PushState, switchPushOff, switchPushOn } from './push.ts'
import { pushTexts } from './texts.ts'

/** Whether this browser rings although no tab has Bellhop open. */
export function PushChoice({ employeeId }: { employeeId: string }) {
  const t = useTexts(pushTexts)
  const { language } = useLanguage()
  const [state, setState] = useState<PushState>()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Error>()
  const errorText = useErrorText()
  useEffect(() => void pushStateOf(employeeId).then(setState), [employeeId])
  if (!state) return null

  const change = async (isOn: boolean) => {
    setBusy(true)
    try {
      setState(await (isOn ? switchPushOn(employeeId, language) : switchPushOff()))
      setFailure(undefined)
    } catch (error) {
      setState(await pushStateOf(employeeId))
      setFailure(error as Error)
    }
    setBusy(false)
  }

  const hints = { on: t.hint, off: t.hint, blocked: t.blocked, unsupported: t.unsupported }
  return (
    <>
      <SwitchField
        label={t.label}
        hint={hints[state]}
        checked={state === 'on'}
        disabled={isBusy || state === 'blocked' || state === 'unsupported'}
        onChange={(isOn) => void change(isOn)}
      />
      {failure && (
        <p role="alert" className="-mt-3 mb-4 ml-12 text-sm text-wrong">
          {/* The browser reports what is its own. */}
          {failure instanceof DOMException ? t.failed : errorText(failure)}
        </p>
      )}
    </>
  )
}

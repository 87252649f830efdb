import { useChange } from '../../../api/change.ts'
import {
  type BusinessNumber,
  type FlowInput,
  setIncoming,
  setNoAnswer,
  setOutside,
} from '../../../api/numbers.ts'
import { useTexts } from '../../../i18n/language.tsx'
import { numberTexts } from '../../../i18n/numbers.ts'
import { SelectField } from '../../../ui/field.tsx'
import { FormDialog, useInput } from '../../../ui/form.tsx'
import { draftOf, inputOf } from './flow-draft.ts'
import { FlowEditor } from './flow-editor.tsx'

export type Slot = 'incoming' | 'outside' | 'noAnswer'

/** The values that the API accepts, in seconds. */
const TIMEOUTS = [15, 30, 60, 300, 600, 1200, 1800, 2700, 3600] as const
type Timeout = (typeof TIMEOUTS)[number]

export const flowOf = (number: BusinessNumber, slot: Slot) =>
  ({
    incoming: number.incoming_call_config,
    outside: number.outside_business_hours_config,
    noAnswer: number.no_answer_config,
  })[slot]

export function SlotEditor({
  number,
  slot,
  onClose,
}: {
  number: BusinessNumber
  slot: Slot
  onClose(): void
}) {
  const t = useTexts(numberTexts)
  const { input, set, isChanged } = useInput({
    draft: draftOf(flowOf(number, slot)),
    timeout: number.no_answer_timeout_secs as Timeout | null,
  })
  const { draft, timeout } = input
  const none = { incoming: undefined, outside: t.sameAsOpen, noAnswer: t.keepRinging }[slot]
  const save = useChange(
    () => {
      const flow = inputOf(draft)
      if (slot === 'incoming') return setIncoming(number.id, flow as FlowInput)
      if (slot === 'outside') return setOutside(number.id, flow)
      return setNoAnswer(number.id, { ...flow, timeout_secs: timeout })
    },
    { touches: [['numbers']], said: t.stored, onDone: onClose },
  )
  return (
    <FormDialog
      wide
      title={t[slot]}
      isPending={save.isPending}
      isChanged={isChanged}
      onClose={onClose}
      onSubmit={save.mutate}
    >
      {slot === 'noAnswer' && (
        <SelectField
          label={t.timeout}
          value={timeout ?? ''}
          onChange={({ target: { value } }) =>
            set({ timeout: value === '' ? null : (Number(value) as Timeout) })
          }
        >
          <option value="">{t.never}</option>
          {TIMEOUTS.map((seconds) => (
            <option key={seconds} value={seconds}>
              {t.seconds(seconds)}
            </option>
          ))}
        </SelectField>
      )}
      <FlowEditor numberId={number.id} draft={draft} onChange={(draft) => set({ draft })} none={none} />
    </FormDialog>
  )
}

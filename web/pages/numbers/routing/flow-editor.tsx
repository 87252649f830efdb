import { Plus, Trash2 } from 'lucide-react'

import { useTexts } from '../../../i18n/language.tsx'
import { numberTexts } from '../../../i18n/numbers.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { EmployeeChoice } from '../employee-choice.tsx'
import { SpokenText } from '../spoken-text.tsx'
import {
  FLOW_TYPES,
  type FlowDraft,
  MENU_ACTIONS,
  type OptionDraft,
  optionSpeaks,
  ringsPeople,
  SPOKEN_KINDS,
} from './flow-draft.ts'

const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9']

interface FlowEditorProps {
  numberId: string
  draft: FlowDraft
  onChange(draft: FlowDraft): void
  /** What an empty slot means, if it may be empty. */
  none?: string
}

export function FlowEditor({ numberId, draft, onChange, none }: FlowEditorProps) {
  const t = useTexts(numberTexts)
  const set = (part: Partial<FlowDraft>) => onChange({ ...draft, ...part })
  const setOption = (at: number, part: Partial<OptionDraft>) =>
    set({ options: draft.options.map((option, index) => (index === at ? { ...option, ...part } : option)) })
  const spokenKind = SPOKEN_KINDS[draft.type]
  const freeDigit = DIGITS.find((digit) => !draft.options.some((option) => option.digit === digit))
  return (
    <>
      <SelectField
        label={t.type}
        value={draft.type}
        onChange={(event) => set({ type: event.target.value as FlowDraft['type'] })}
      >
        {none !== undefined && <option value="none">{none}</option>}
        {FLOW_TYPES.map((type) => (
          <option key={type} value={type}>
            {t[type]}
          </option>
        ))}
      </SelectField>
      {spokenKind && (
        <SpokenText
          numberId={numberId}
          kind={spokenKind}
          text={draft.text}
          onChange={(text) => set({ text })}
        />
      )}
      {ringsPeople(draft.type) && (
        <EmployeeChoice chosen={draft.employeeIds} onChange={(employeeIds) => set({ employeeIds })} />
      )}
      {draft.type === 'PhoneMenuConfig' && (
        <fieldset className="mb-4">
          <legend className="mb-2 text-sm font-semibold">{t.options}</legend>
          <ul className="flex flex-col gap-3">
            {draft.options.map((option, at) => (
              <li key={at} className="rounded-xl border p-3">
                <div className="flex items-start gap-2">
                  <div className="w-20">
                    <SelectField
                      label={t.digit}
                      value={option.digit}
                      onChange={(event) => setOption(at, { digit: event.target.value })}
                    >
                      {DIGITS.map((digit) => (
                        <option key={digit}>{digit}</option>
                      ))}
                    </SelectField>
                  </div>
                  <div className="min-w-0 flex-1">
                    <SelectField
                      label={t.type}
                      value={option.action}
                      onChange={(event) =>
                        setOption(at, { action: event.target.value as OptionDraft['action'] })
                      }
                    >
                      {MENU_ACTIONS.map((action) => (
                        <option key={action} value={action}>
                          {t[action]}
                        </option>
                      ))}
                    </SelectField>
                  </div>
                  <IconButton
                    label={t.removeOption}
                    className="mt-6"
                    onClick={() => set({ options: draft.options.filter((_, index) => index !== at) })}
                  >
                    <Trash2 size={16} />
                  </IconButton>
                </div>
                {optionSpeaks(option.action) && (
                  <SpokenText
                    numberId={numberId}
                    kind="prompt"
                    text={option.prompt}
                    onChange={(prompt) => setOption(at, { prompt })}
                  />
                )}
                {ringsPeople(option.action) && (
                  <EmployeeChoice
                    chosen={option.employeeIds}
                    onChange={(employeeIds) => setOption(at, { employeeIds })}
                  />
                )}
              </li>
            ))}
          </ul>
          {freeDigit !== undefined && (
            <Button
              size="small"
              className="mt-3"
              onClick={() =>
                set({
                  options: [
                    ...draft.options,
                    { digit: freeDigit, action: 'TransferConfig', prompt: '', employeeIds: [] },
                  ],
                })
              }
            >
              <Plus size={15} aria-hidden="true" /> {t.addOption}
            </Button>
          )}
        </fieldset>
      )}
    </>
  )
}

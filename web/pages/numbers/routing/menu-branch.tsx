import { PhoneIncoming, Trash2 } from 'lucide-react'

import { useTexts } from '../../../i18n/language.tsx'
import { numberTexts } from '../../../i18n/numbers.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { EmployeeChoice } from '../employee-choice.tsx'
import { SpokenText } from '../spoken-text.tsx'
import { walkTexts } from '../walk/texts.ts'
import { DIGITS, MENU_ACTIONS, type OptionDraft, optionSpeaks, ringsPeople } from './flow-draft.ts'
import { PictureNode } from './picture-node.tsx'
import { Audio, RingStep, SayStep, type SpokenAudio } from './steps.tsx'

interface MenuBranchProps {
  numberId: string
  option: OptionDraft
  isOpen: boolean
  onOpen(): void
  onDone(): void
  onChange(option: OptionDraft): void
  onRemove(): void
  audioOf: SpokenAudio
  /** What to do about a field of the option that the API refused. */
  errorOf(field: string): string | undefined
  /** Undefined if it is not saved. */
  onWalk?(): void
}

/** A key of a phone menu, and what follows when a caller presses it. */
export function MenuBranch(props: MenuBranchProps) {
  const { numberId, option, isOpen, onOpen, onDone, onChange, onRemove, audioOf, errorOf, onWalk } = props
  const t = useTexts(numberTexts)
  const walk = useTexts(walkTexts)
  const set = (part: Partial<OptionDraft>) => onChange({ ...option, ...part })
  const speaks = optionSpeaks(option.action)
  const errors = ['digit', 'action_type', 'prompt', 'employee_ids'].map(errorOf).filter(Boolean)
  return (
    <PictureNode
      label={t.press(option.digit)}
      isOpen={isOpen}
      onOpen={onOpen}
      onDone={onDone}
      error={errors.length > 0 ? errors.join(' ') : undefined}
      summary={
        <span className="flex flex-col gap-1.5">
          <span className="flex items-center gap-2 font-semibold">
            <kbd
              aria-hidden="true"
              className="grid size-6 place-items-center rounded-md bg-accent font-sans text-on-accent"
            >
              {option.digit}
            </kbd>
            {t[option.action]}
          </span>
          {speaks && <SayStep text={option.prompt} />}
          {ringsPeople(option.action) && <RingStep ids={option.employeeIds} />}
        </span>
      }
      more={speaks && <Audio text={option.prompt} audioOf={audioOf} />}
      aside={
        onWalk && (
          <IconButton label={walk.openBranch(option.digit)} onClick={onWalk}>
            <PhoneIncoming size={16} />
          </IconButton>
        )
      }
      action={
        <Button size="small" look="danger" onClick={onRemove}>
          <Trash2 size={15} aria-hidden="true" /> {t.removeOption}
        </Button>
      }
    >
      <div className="flex gap-2">
        <div className="w-20">
          <SelectField
            label={t.digit}
            value={option.digit}
            error={errorOf('digit')}
            onChange={(event) => set({ digit: event.target.value })}
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
            error={errorOf('action_type')}
            onChange={(event) => set({ action: event.target.value as OptionDraft['action'] })}
          >
            {MENU_ACTIONS.map((action) => (
              <option key={action} value={action}>
                {t[action]}
              </option>
            ))}
          </SelectField>
        </div>
      </div>
      {speaks && (
        <SpokenText
          numberId={numberId}
          kind="prompt"
          text={option.prompt}
          error={errorOf('prompt')}
          onChange={(prompt) => set({ prompt })}
        />
      )}
      {ringsPeople(option.action) && (
        <EmployeeChoice
          chosen={option.employeeIds}
          error={errorOf('employee_ids')}
          onChange={(employeeIds) => set({ employeeIds })}
        />
      )}
    </PictureNode>
  )
}

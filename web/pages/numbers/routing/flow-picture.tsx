import { PhoneOff, Plus, Voicemail } from 'lucide-react'
import { useId } from 'react'

import { useTexts } from '../../../i18n/language.tsx'
import { numberTexts } from '../../../i18n/numbers.ts'
import { EmployeeChoice } from '../employee-choice.tsx'
import { SpokenText } from '../spoken-text.tsx'
import {
  type FlowDraft,
  freeDigit,
  indexOfDouble,
  newOption,
  type Part,
  ringsPeople,
  SPOKEN_KINDS,
  TEXT_FIELDS,
} from './flow-draft.ts'
import { MenuBranch } from './menu-branch.tsx'
import { PictureNode } from './picture-node.tsx'
import { Audio, RingStep, SayStep, type SpokenAudio, Step } from './steps.tsx'

interface FlowPictureProps {
  numberId: string
  draft: FlowDraft
  onChange(draft: FlowDraft): void
  /** The part that is being edited. */
  open: Part | undefined
  onOpen(part: Part | undefined): void
  audioOf: SpokenAudio
  /** What to do about a field that the API refused. */
  errorOf(field: string): string | undefined
  /** Walks through a call that takes this branch; undefined if it is not saved. */
  onWalk?(digit: string): void
}

/** The steps from top to bottom, with a branch for each key of a menu; each is edited by clicking it. */
export function FlowPicture(props: FlowPictureProps) {
  const { numberId, draft, onChange, open, onOpen, audioOf, errorOf } = props
  const t = useTexts(numberTexts)
  const set = (part: Partial<FlowDraft>) => onChange({ ...draft, ...part })
  const node = (part: Part) => ({
    isOpen: open === part,
    onOpen: () => onOpen(part),
    onDone: () => onOpen(undefined),
  })
  const kind = SPOKEN_KINDS[draft.type]
  const textError = errorOf(TEXT_FIELDS[draft.type] ?? '')
  return (
    <div className="mt-2 flex flex-col gap-2">
      {kind && (
        <PictureNode
          {...node('text')}
          label={t.text}
          error={textError}
          summary={<SayStep text={draft.text} />}
          more={<Audio text={draft.text} audioOf={audioOf} />}
        >
          <SpokenText
            numberId={numberId}
            kind={kind}
            text={draft.text}
            error={textError}
            onChange={(text) => set({ text })}
          />
        </PictureNode>
      )}
      {ringsPeople(draft.type) && (
        <PictureNode
          {...node('people')}
          label={t.employees}
          error={errorOf('employee_ids')}
          summary={<RingStep ids={draft.employeeIds} />}
        >
          <EmployeeChoice
            chosen={draft.employeeIds}
            error={errorOf('employee_ids')}
            onChange={(employeeIds) => set({ employeeIds })}
          />
        </PictureNode>
      )}
      {draft.type === 'PhoneMenuConfig' && <Branches {...props} />}
      {draft.type === 'VoicemailConfig' && (
        <p className="px-2.5">
          <Step icon={<Voicemail size={15} />}>{t.recordsMessage}</Step>
        </p>
      )}
      {draft.type === 'RejectConfig' && (
        <p className="px-2.5">
          <Step icon={<PhoneOff size={15} />}>{t.hangsUp}</Step>
        </p>
      )}
    </div>
  )
}

const LINE = 'absolute top-5 -left-3 w-3 border-t-2 border-accent/50'

function Branches(props: FlowPictureProps) {
  const { numberId, draft, onChange, open, onOpen, audioOf, errorOf, onWalk } = props
  const t = useTexts(numberTexts)
  const { options } = draft
  const setOptions = (options: FlowDraft['options']) => onChange({ ...draft, options })
  const digit = freeDigit(options)
  const wrong = errorOf('menu_options')
  const wrongId = useId()
  const double = indexOfDouble(options)
  /** There is no key yet. */
  const isRefused = wrong !== undefined && double < 0
  return (
    <>
      <ul aria-label={t.options} className="flex flex-col gap-2 border-l-2 border-accent/50 pl-3">
        {options.map((option, at) => (
          <li key={at} className="relative">
            <span aria-hidden="true" className={LINE} />
            <MenuBranch
              numberId={numberId}
              option={option}
              isOpen={open === at}
              onOpen={() => onOpen(at)}
              onDone={() => onOpen(undefined)}
              onChange={(changed) => setOptions(options.with(at, changed))}
              onRemove={() => {
                onOpen(undefined)
                setOptions(options.filter((_, index) => index !== at))
              }}
              audioOf={audioOf}
              onWalk={onWalk && (() => onWalk(option.digit))}
              errorOf={(field) =>
                errorOf(`menu_options.${at}.${field}`) ??
                (field === 'digit' && at === double ? wrong : undefined)
              }
            />
          </li>
        ))}
        {digit !== undefined && (
          <li className="relative">
            <span aria-hidden="true" className={LINE} />
            <button
              type="button"
              {...(isRefused && { 'data-refused': true, 'aria-describedby': wrongId })}
              className="flex w-full items-center gap-2 rounded-lg border border-dashed border-line-strong p-2.5 text-sm font-semibold text-accent hover:bg-hover data-refused:border-wrong"
              onClick={() => {
                setOptions([...options, newOption(digit)])
                onOpen(options.length)
              }}
            >
              <span aria-hidden="true" className="grid size-6 place-items-center rounded-md bg-accent-ground">
                <Plus size={15} />
              </span>
              {t.addOption}
            </button>
          </li>
        )}
      </ul>
      {isRefused && (
        <p id={wrongId} role="alert" className="text-sm text-wrong">
          {wrong}
        </p>
      )}
    </>
  )
}

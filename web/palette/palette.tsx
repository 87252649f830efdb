import { Search } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type KeyboardEvent, useId, useRef, useState } from 'react'

import { useTexts } from '../i18n/language.tsx'
import { type Option, type OptionGroup, useOptions } from './options.ts'
import { paletteTexts } from './texts.ts'

/** Goes to anybody or anything whose name, number or title is typed. */
export default function Palette({ onClose }: { onClose(): void }) {
  const t = useTexts(paletteTexts)
  const opener = useRef(document.activeElement)
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            const back = opener.current
            if (back instanceof HTMLElement && back.isConnected) back.focus()
          }}
          className="fixed top-[12dvh] left-1/2 z-50 flex max-h-[70dvh] w-[calc(100%-2rem)] max-w-xl -translate-x-1/2 flex-col overflow-hidden rounded-2xl border bg-raised shadow-float"
        >
          <Dialog.Title className="sr-only">{t.title}</Dialog.Title>
          <Chooser onClose={onClose} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Chooser({ onClose }: { onClose(): void }) {
  const t = useTexts(paletteTexts)
  const id = useId()
  const [typed, setTyped] = useState('')
  const [marked, setMarked] = useState(0)
  const groups = useOptions(typed)
  const all = groups.flatMap(({ options }) => options)
  // Options may become fewer while the server answers.
  const at = Math.min(marked, all.length - 1)
  const choose = (option: Option | undefined, isCall: boolean) => {
    if (!option) return
    onClose()
    const act = isCall && option.call ? option.call : option.open
    act()
  }
  const press = (event: KeyboardEvent) => {
    const moves: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1 }
    const next = moves[event.key]
    if (next !== undefined) {
      event.preventDefault()
      setMarked(all.length === 0 ? 0 : (next + all.length) % all.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      choose(all[at], event.shiftKey)
    }
  }
  return (
    <>
      <div className="flex items-center gap-2 border-b px-4">
        <Search size={18} aria-hidden="true" className="text-soft" />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={all[at] && `${id}-${at}`}
          aria-label={t.field}
          placeholder={t.field}
          autoComplete="off"
          className="h-12 min-w-0 flex-1 bg-transparent outline-none placeholder:text-soft"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setMarked(0)
          }}
          onKeyDown={press}
        />
      </div>
      {all.length === 0 && (
        <p role="status" className="px-4 py-6 text-center text-soft">
          {t.nothing}
        </p>
      )}
      <div
        id={id}
        role="listbox"
        aria-label={t.title}
        className="min-h-0 flex-1 overflow-y-auto p-2 empty:hidden"
      >
        {groups.map((group) => (
          <Group
            key={group.name}
            id={id}
            group={group}
            first={all.indexOf(group.options[0]!)}
            marked={at}
            onChoose={choose}
          />
        ))}
      </div>
      <p className="hidden border-t px-4 py-2 text-xs text-soft md:block">{t.hint}</p>
    </>
  )
}

interface GroupProps {
  /** The id of the list. */
  id: string
  group: OptionGroup
  /** The place of its first option among all. */
  first: number
  marked: number
  onChoose(option: Option, isCall: boolean): void
}

function Group({ id, group: { name, options }, first, marked, onChoose }: GroupProps) {
  const t = useTexts(paletteTexts)
  return (
    <div role="group" aria-labelledby={`${id}-${name}`} className="pb-1">
      <p id={`${id}-${name}`} role="presentation" className="px-2 pt-2 pb-1 text-xs font-semibold text-soft">
        {t[name]}
      </p>
      {options.map((option, index) => (
        <Row
          key={option.id}
          id={`${id}-${first + index}`}
          option={option}
          isMarked={first + index === marked}
          onChoose={onChoose}
        />
      ))}
    </div>
  )
}

interface RowProps {
  id: string
  option: Option
  isMarked: boolean
  onChoose(option: Option, isCall: boolean): void
}

function Row({ id, option, isMarked, onChoose }: RowProps) {
  const { icon: Icon, label, detail } = option
  return (
    <div
      ref={(row) => {
        if (isMarked) row?.scrollIntoView({ block: 'nearest' })
      }}
      id={id}
      role="option"
      aria-selected={isMarked}
      className="flex cursor-pointer items-center gap-3 rounded-lg px-2 py-2 text-sm hover:bg-hover aria-selected:bg-accent-ground aria-selected:text-accent"
      onClick={(event) => onChoose(option, event.shiftKey)}
    >
      <Icon size={16} aria-hidden="true" className="shrink-0" />
      <span className="min-w-0 flex-1 truncate font-medium">{label}</span>
      {detail && <span className="truncate text-soft tabular-nums">{detail}</span>}
    </div>
  )
}

import { useQuery } from '@tanstack/react-query'
import { StickyNote } from 'lucide-react'
import { useId, useRef, useState } from 'react'

import { useChange } from '../../../api/change.ts'
import { type Employee, employeesQuery } from '../../../api/employees.ts'
import { createNote, teamChanges } from '../../../api/team-inbox.ts'
import { useTexts } from '../../../i18n/language.tsx'
import { teamTexts } from '../../../i18n/team-inbox.ts'
import { keepDraft, useDraft } from '../../../outbox/drafts.ts'
import { Avatar } from '../../../people/avatar.tsx'
import { Button } from '../../../ui/button.tsx'
import { INPUT } from '../../../ui/field.tsx'
import { Form } from '../../../ui/form.tsx'

const LIMITS = { noteCharacters: 1_600, suggested: 6 }

/** The @ and what follows it, before the cursor. */
const MENTION = /(?<=^|\s)@([\p{L}\p{M}’'-]*(?: [\p{L}\p{M}’'-]*)?)$/u

/** Kept as a draft beside that of a text. */
const draftOf = (phone: string) => `note ${phone}`

export function NoteComposer({ phone, employeeId }: { phone: string; employeeId: string }) {
  const t = useTexts(teamTexts)
  const box = useRef<HTMLTextAreaElement>(null)
  const { text } = useDraft(employeeId, draftOf(phone))
  const setText = (next: string) => keepDraft(employeeId, draftOf(phone), { text: next })
  const coworkers = (useQuery(employeesQuery()).data ?? []).filter(({ id }) => id !== employeeId)
  const mentions = useMentions(coworkers, box, text, setText)
  const add = useChange(
    (note: string) => createNote(phone, { text: note, mentioned_employee_ids: mentionedIn(note, coworkers) }),
    { touches: teamChanges(phone), onDone: () => setText('') },
  )
  const ready = text.trim() !== '' && !add.isPending
  const submit = () => ready && add.mutate(text)
  return (
    <Form onSubmit={submit} className="relative">
      {mentions.list}
      <div className="flex items-end gap-2">
        <textarea
          ref={box}
          // Whoever chose to write a note wants to write it.
          autoFocus
          aria-label={t.writeNote}
          placeholder={t.notePlaceholder}
          rows={2}
          maxLength={LIMITS.noteCharacters}
          className={`${INPUT} field-sizing-content max-h-40 min-h-16 resize-none`}
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            mentions.look(target)
          }}
          onKeyDown={(event) => {
            if (mentions.press(event.key)) event.preventDefault()
            else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit()
          }}
          {...mentions.aria}
        />
        <Button type="submit" look="main" disabled={!ready}>
          <StickyNote size={16} aria-hidden="true" /> {t.addNote}
        </Button>
      </div>
    </Form>
  )
}

/** Whoever is named after an @ is mentioned. Of two names, the longer one is meant. */
function mentionedIn(text: string, coworkers: Employee[]): string[] {
  let rest = text
  return coworkers
    .toSorted((a, b) => b.name.length - a.name.length)
    .filter(({ name }) => {
      const isMeant = rest.includes(`@${name}`)
      rest = rest.replaceAll(`@${name}`, '')
      return isMeant
    })
    .map(({ id }) => id)
}

/** A list of coworkers while an @ is being written. */
function useMentions(
  coworkers: Employee[],
  box: React.RefObject<HTMLTextAreaElement | null>,
  text: string,
  setText: (text: string) => void,
) {
  const t = useTexts(teamTexts)
  const listId = useId()
  const [typed, setTyped] = useState<string>()
  const [marked, setMarked] = useState(0)
  const found =
    typed === undefined
      ? []
      : coworkers
          .filter(({ name }) => name.toLocaleLowerCase().includes(typed.toLocaleLowerCase()))
          .slice(0, LIMITS.suggested)
  const look = (at: HTMLTextAreaElement) => {
    setTyped(MENTION.exec(at.value.slice(0, at.selectionStart))?.[1])
    setMarked(0)
  }
  const choose = ({ name }: Employee) => {
    const cursor = box.current?.selectionStart ?? text.length
    const before = text.slice(0, cursor).replace(MENTION, `@${name} `)
    setText(before + text.slice(cursor))
    setTyped(undefined)
    box.current?.focus()
    requestAnimationFrame(() => box.current?.setSelectionRange(before.length, before.length))
  }
  /** True if the key was for the list. */
  const press = (key: string): boolean => {
    const one = found[marked]
    if (!one) return false
    if (key === 'ArrowDown') setMarked((marked + 1) % found.length)
    else if (key === 'ArrowUp') setMarked((marked + found.length - 1) % found.length)
    else if (key === 'Enter' || key === 'Tab') choose(one)
    else if (key === 'Escape') setTyped(undefined)
    else return false
    return true
  }
  const list = found.length > 0 && (
    <ul
      id={listId}
      role="listbox"
      aria-label={t.coworkers}
      className="absolute bottom-full left-0 z-10 mb-1 min-w-56 rounded-xl border bg-raised p-1 shadow-float"
    >
      {found.map((employee, index) => (
        <li
          key={employee.id}
          id={`${listId}-${employee.id}`}
          role="option"
          aria-selected={index === marked}
          className="flex cursor-pointer items-center gap-2 rounded-lg px-2 py-1 text-sm aria-selected:bg-hover"
          // Before the field loses the focus.
          onPointerDown={(event) => {
            event.preventDefault()
            choose(employee)
          }}
        >
          <Avatar name={employee.name} size="small" isCoworker /> {employee.name}
        </li>
      ))}
    </ul>
  )
  const current = found[marked]
  const aria = current
    ? { 'aria-controls': listId, 'aria-activedescendant': `${listId}-${current.id}` }
    : undefined
  return { list, look, press, aria }
}

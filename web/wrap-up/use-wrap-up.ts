import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { callQuery, setWrapUp, type WrapUp } from '../api/calls.ts'
import { useChange } from '../api/change.ts'
import { ApiError } from '../api/client.ts'
import { useTexts } from '../i18n/language.tsx'
import { keepDraft, readDraft } from '../outbox/drafts.ts'
import type { Outcome } from './outcomes.tsx'
import { wrapUpTexts } from './texts.ts'

/** Kept in the browser, beside the drafts of texts. */
const draftOf = (callId: string) => `call ${callId}`

interface Options {
  callId: string
  employeeId: string
  /** As it is stored. */
  wrapUp: WrapUp | null
  onSaved(): void
}

/** What is being noted about a call. Nobody replaces what they have not read: then both notes are kept. */
export function useWrapUp({ callId, employeeId, wrapUp, onSaved }: Options) {
  const t = useTexts(wrapUpTexts)
  const queries = useQueryClient()
  const [base, setBase] = useState(wrapUp)
  const [outcome, setOutcome] = useState<Outcome | null>(wrapUp?.outcome ?? null)
  const [note, showNote] = useState(() => readDraft(employeeId, draftOf(callId)).text || (wrapUp?.note ?? ''))
  const [alsoBy, setAlsoBy] = useState<string>()
  const isChanged = outcome !== (base?.outcome ?? null) || note.trim() !== (base?.note ?? '').trim()
  if (!isChanged && wrapUp?.updated_at !== base?.updated_at) {
    setBase(wrapUp)
    setOutcome(wrapUp?.outcome ?? null)
    showNote(wrapUp?.note ?? '')
  }
  const setNote = (text: string) => {
    showNote(text)
    keepDraft(employeeId, draftOf(callId), { text: text === base?.note ? '' : text })
  }
  const merge = async () => {
    const { wrap_up: theirs } = await queries.fetchQuery({ ...callQuery(callId), staleTime: 0 })
    setBase(theirs)
    setAlsoBy(theirs?.author.name)
    setOutcome(outcome ?? theirs?.outcome ?? null)
    if (theirs?.note) setNote([theirs.note, note].filter((text) => text.trim() !== '').join('\n'))
  }
  const save = useChange(
    () => setWrapUp(callId, { outcome, note, previous_updated_at: base?.updated_at ?? null }),
    {
      touches: [['call', callId], ['calls'], ['activity']],
      said: t.saved,
      onDone: () => {
        keepDraft(employeeId, draftOf(callId), { text: '' })
        onSaved()
      },
      quietAbout: isConflict,
    },
  )
  const submit = () => {
    if (save.isPending) return
    if (!isChanged) return onSaved()
    save.mutate(undefined, { onError: (error) => isConflict(error) && void merge() })
  }
  return { outcome, setOutcome, note, setNote, isChanged, alsoBy, submit, isSaving: save.isPending }
}

const isConflict = (error: Error) => error instanceof ApiError && error.status === 409

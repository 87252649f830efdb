import { useSyncExternalStore } from 'react'

import { createListeners } from '../ui/listeners.ts'
import { chosen, forgetChoice } from '../ui/theme/choice-cookie.ts'

/** Texts that are being written, by employee and thread, kept in the browser: also through an expired session. */
const PREFIX = 'bellhop.draft.'

/** A cookie of the server, set at sign-out. */
const SIGNED_OUT = 'signed_out'

const LIMITS = { draftsMax: 50, ageMs: 14 * 24 * 60 * 60_000, characters: 1_600 }

export interface Draft {
  text: string
  /** Of the last attempt to send exactly this text from this number, whose outcome may be unknown. */
  attempt?: { numberId: string; key: string }
}

interface KeptDraft extends Draft {
  at: number
}

const nameOf = (employeeId: string, phone: string) => `${PREFIX}${employeeId}.${phone}`

const EMPTY: Draft = { text: '' }

/** As this page shows them; another tab may have written others since. */
const shown = new Map<string, Draft>()
const { subscribe, tell } = createListeners()

export function readDraft(employeeId: string, phone: string): Draft {
  const name = nameOf(employeeId, phone)
  const known = shown.get(name)
  if (known) return known
  const kept = read(name)
  const draft = kept && !isOld(kept) ? { text: kept.text, attempt: kept.attempt } : EMPTY
  shown.set(name, draft)
  return draft
}

export const useDraft = (employeeId: string, phone: string) =>
  useSyncExternalStore(subscribe, () => readDraft(employeeId, phone))

export function keepDraft(employeeId: string, phone: string, draft: Draft): void {
  const name = nameOf(employeeId, phone)
  shown.set(name, draft)
  tell()
  if (draft.text === '') return localStorage.removeItem(name)
  const isNew = localStorage.getItem(name) === null
  const kept: KeptDraft = { ...draft, text: draft.text.slice(0, LIMITS.characters), at: Date.now() }
  try {
    localStorage.setItem(name, JSON.stringify(kept))
  } catch {
    // The browser's storage is full, or switched off: the text is still on the screen.
  }
  if (isNew) removeOldDrafts()
}

/** Somebody else may use this browser next. The server's pages, where people sign out, have no script to do it. */
export function forgetDraftsAfterSignOut(): void {
  if (!chosen(SIGNED_OUT)) return
  for (const name of names()) localStorage.removeItem(name)
  forgetChoice(SIGNED_OUT)
}

function removeOldDrafts(): void {
  const kept = names().map((name) => ({ name, draft: read(name) }))
  const newest = kept
    .filter(({ draft }) => draft && !isOld(draft))
    .toSorted((a, b) => b.draft!.at - a.draft!.at)
    .slice(0, LIMITS.draftsMax)
  const stays = new Set(newest.map(({ name }) => name))
  for (const { name } of kept) if (!stays.has(name)) localStorage.removeItem(name)
}

const names = () => Object.keys(localStorage).filter((name) => name.startsWith(PREFIX))

const isOld = ({ at }: KeptDraft) => Date.now() - at > LIMITS.ageMs

function read(name: string): KeptDraft | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(name) ?? 'null') as KeptDraft | null
    return typeof kept?.text === 'string' && typeof kept.at === 'number' ? kept : undefined
  } catch {
    // Kept by another release, or by hand: as good as nothing.
    return undefined
  }
}

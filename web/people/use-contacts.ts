import { useQuery } from '@tanstack/react-query'

import { type Contact, contactSuggestionsQuery } from '../api/contacts.ts'

/** Fewer characters would find too many. */
const CHARACTERS_MIN = 2

interface Suggestions {
  contacts: Contact[]
  /** The one whom the text means, if nobody else has these words. */
  only: Contact | undefined
}

/** The contacts whom a text may mean; none until the server has answered for exactly this text. */
export function useContactsFor(typed: string): Suggestions {
  const text = typed.trim()
  const { data } = useQuery({ ...contactSuggestionsQuery(text), enabled: text.length >= CHARACTERS_MIN })
  const contacts = data ?? []
  return { contacts, only: contacts.length === 1 ? contacts[0] : undefined }
}

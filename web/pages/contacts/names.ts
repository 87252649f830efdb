import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { contactsQuery } from '../../api/contacts.ts'
import { useReadableNumber } from '../../i18n/remote-numbers.ts'

/** The name of the contact with a number, or the number. */
export function useNames(): (phone: string) => string {
  const readable = useReadableNumber()
  const contacts = useQuery(contactsQuery()).data
  const names = useMemo(() => new Map(contacts?.map(({ phone, name }) => [phone, name])), [contacts])
  return (phone) => names.get(phone) ?? readable(phone)
}

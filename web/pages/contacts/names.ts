import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { contactsQuery } from '../../api/contacts.ts'
import { readablePhone } from '../../ui/phone.ts'

/** What to call whoever has a number: the name of the contact, or the number. */
export function useNames(): (phone: string) => string {
  const contacts = useQuery(contactsQuery()).data
  return useMemo(() => {
    const names = new Map(contacts?.map(({ phone, name }) => [phone, name]))
    return (phone) => names.get(phone) ?? readablePhone(phone)
  }, [contacts])
}

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { contactsQuery } from '../../api/contacts.ts'
import { readablePhone } from '../../ui/phone.ts'

/** The name of the contact with a number, or the number. */
export function useNames(): (phone: string) => string {
  const contacts = useQuery(contactsQuery()).data
  return useMemo(() => {
    const names = new Map(contacts?.map(({ phone, name }) => [phone, name]))
    return (phone) => names.get(phone) ?? readablePhone(phone)
  }, [contacts])
}

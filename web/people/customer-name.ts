import { useReadableNumber } from '../i18n/remote-numbers.ts'

/** What a customer is called: the contact's name, or the number. */
export function useCustomerName(): (customer: { contact_name: string | null }, phone: string) => string {
  const readable = useReadableNumber()
  return ({ contact_name }, phone) => contact_name ?? readable(phone)
}

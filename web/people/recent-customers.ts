import { useInfiniteQuery } from '@tanstack/react-query'

import { type Call, callsQuery } from '../api/calls.ts'
import { isDialable, withoutSeparators } from '../ui/phone.ts'
import { useCustomerName } from './customer-name.ts'

export interface RecentCustomer {
  phone: string
  name: string
  /** The latest one with them. */
  call: Call
  canBeCalled: boolean
}

const LIMITS = { shown: 5 }

/** The customers of the latest calls, or those of them whom a text may mean. */
export function useRecentCustomers(text = ''): RecentCustomer[] {
  const { data } = useInfiniteQuery(callsQuery({}))
  const nameOf = useCustomerName()
  const customers = new Map<string, RecentCustomer>()
  for (const call of data?.pages[0]?.calls ?? []) {
    const phone = call.direction === 'inbound' ? call.from : call.to
    if (customers.has(phone)) continue
    customers.set(phone, { phone, name: nameOf(call, phone), call, canBeCalled: isDialable(phone) })
  }
  const digits = withoutSeparators(text)
  const isMeant = ({ phone, name }: RecentCustomer) =>
    name.toLocaleLowerCase().includes(text.toLocaleLowerCase()) || (digits !== '' && phone.includes(digits))
  return [...customers.values()].filter(isMeant).slice(0, LIMITS.shown)
}

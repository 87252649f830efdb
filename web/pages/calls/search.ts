import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

import type { CallFilter } from '../../api/calls.ts'

/** What is looked for, in the address: so that who comes back from a call finds the list as they left it. */
export interface CallsSearch {
  query?: string
  number?: string
  phone?: string
  direction?: 'inbound' | 'outbound'
}

/** Addresses come from outside, and a number in one may have been read as such. */
export function readCallsSearch(raw: Record<string, unknown>): CallsSearch {
  const { direction } = raw
  return {
    query: textOf(raw.query),
    number: textOf(raw.number),
    phone: textOf(raw.phone),
    direction: direction === 'inbound' || direction === 'outbound' ? direction : undefined,
  }
}

const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() || undefined : undefined

export const filterOf = ({ query, number, phone, direction }: CallsSearch): CallFilter => ({
  ...(query && { query }),
  ...(number && { main_number_id: number }),
  ...(phone && { phone_number: phone }),
  ...(direction && { direction }),
})

export function useCallsSearch() {
  const search = readCallsSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const change = (part: CallsSearch) =>
    void navigate({ to: '/calls', search: readCallsSearch({ ...search, ...part }), replace: true })
  return { search, change }
}

const LIMITS = { settleMs: 250 }

/** What is being typed, and told once it stays the same for a moment. */
export function useTyped(told: string, tell: (text: string) => void): [string, (text: string) => void] {
  const [typed, setTyped] = useState(told)
  const last = useRef(told)
  useEffect(() => {
    // Changed from elsewhere, as by the way back.
    if (told === last.current) return
    last.current = told
    setTyped(told)
  }, [told])
  useEffect(() => {
    const text = typed.trim()
    if (text === last.current) return undefined
    const timer = setTimeout(() => {
      last.current = text
      tell(text)
    }, LIMITS.settleMs)
    return () => clearTimeout(timer)
  }, [typed, tell])
  return [typed, setTyped]
}

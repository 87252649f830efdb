import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

import type { CallFilter } from '../../api/calls.ts'
import { type Outcome, OUTCOMES } from '../../wrap-up/outcomes.tsx'

/** The search is in the URL, so that the list is unchanged after returning from a call. */
export interface CallsSearch {
  query?: string
  number?: string
  phone?: string
  direction?: (typeof DIRECTIONS)[number]
  outcome?: Outcome
}

const DIRECTIONS = ['inbound', 'outbound', 'internal'] as const

/** URLs are untrusted, and the router may have parsed a number. */
export function readCallsSearch(raw: Record<string, unknown>): CallsSearch {
  const { direction, outcome } = raw
  return {
    query: textOf(raw.query),
    number: textOf(raw.number),
    phone: textOf(raw.phone),
    direction: DIRECTIONS.find((known) => known === direction),
    outcome: OUTCOMES.find((known) => known === outcome),
  }
}

const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() || undefined : undefined

export const filterOf = ({ query, number, phone, direction, outcome }: CallsSearch): CallFilter => ({
  ...(query && { query }),
  ...(number && { main_number_id: number }),
  ...(phone && { phone_number: phone }),
  ...(direction && direction !== 'internal' && { direction }),
  ...(outcome && { outcome }),
})

export function useCallsSearch() {
  const search = readCallsSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const change = (part: CallsSearch) =>
    void navigate({ to: '/calls', search: readCallsSearch({ ...search, ...part }), replace: true })
  return { search, change }
}

const LIMITS = { settleMs: 250 }

/** The typed text, reported after a short pause. */
export function useDebounced(told: string, tell: (text: string) => void): [string, (text: string) => void] {
  const [typed, setTyped] = useState(told)
  const last = useRef(told)
  useEffect(() => {
    // Changed from outside, as by the back button.
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

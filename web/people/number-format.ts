import { useQuery } from '@tanstack/react-query'
import type { CountryCode } from 'libphonenumber-js/min'

import { companyQuery } from '../api/company.ts'
import { withoutSeparators } from '../ui/phone.ts'

/** The rules of all countries are large, and not needed before somebody types. */
const loadRules = () => import('libphonenumber-js/min')

/** Shorter ones are extensions and short codes. */
const DIGITS_MIN = 5

/** Groups the digits of a number that is being typed, as its country does; a name or a code stays as it is. */
export function useNumberFormat(): (typed: string) => string {
  const { data: company } = useQuery(companyQuery())
  const { data: rules } = useQuery({ queryKey: ['number-rules'], queryFn: loadRules, staleTime: Infinity })
  return (typed) => {
    const digits = withoutSeparators(typed)
    if (!rules || !company || !/^\+?\d+$/.test(digits) || digits.length < DIGITS_MIN) return typed
    return new rules.AsYouType(company.country as CountryCode).input(digits)
  }
}

/** While somebody types in the middle, the cursor would jump to the end. */
export const isAtEnd = ({ selectionStart, value }: HTMLInputElement) => selectionStart === value.length

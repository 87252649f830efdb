import { queryOptions, useQuery } from '@tanstack/react-query'
import type { CountryCode } from 'libphonenumber-js/min'

import { companyQuery } from '../api/company.ts'
import { withoutSeparators } from '../ui/phone.ts'

/** The rules of all countries are large, and not needed before somebody types. */
const loadRules = () => import('libphonenumber-js/min')

/** Shorter ones are extensions and short codes. */
const DIGITS_MIN = 5

const rulesQuery = () => queryOptions({ queryKey: ['number-rules'], queryFn: loadRules, staleTime: Infinity })

/** Areas with numbers of their own that are not countries of ISO 3166-1: the server refuses them. */
const NO_COUNTRIES = new Set(['AC', 'TA', 'XK'])

/** The codes of all countries whose numbers can be read, or undefined until they are loaded. */
export const useCountries = (): string[] | undefined =>
  useQuery(rulesQuery())
    .data?.getCountries()
    .filter((code) => !NO_COUNTRIES.has(code))

/** Groups the digits of a number that is being typed, as its country does; a name or a code stays as it is. */
export function useNumberFormat(): (typed: string) => string {
  const { data: company } = useQuery(companyQuery())
  const { data: rules } = useQuery(rulesQuery())
  return (typed) => {
    const digits = withoutSeparators(typed)
    if (!rules || !company || !/^\+?\d+$/.test(digits) || digits.length < DIGITS_MIN) return typed
    return new rules.AsYouType(company.country as CountryCode).input(digits)
  }
}

/** While somebody types in the middle, the cursor would jump to the end. */
export const isAtEnd = ({ selectionStart, value }: HTMLInputElement) => selectionStart === value.length

import { useCallback } from 'react'

import { readablePhone } from '../ui/phone.ts'
import { texts, useTexts } from './language.tsx'

export const remoteNumberTexts = texts('remoteNumber', { withheld: 'Withheld number' })

/** How the API writes a number that the caller withholds. */
const WITHHELD_NUMBER = 'anonymous'

/** Shows a number with spaces; a short code or a name stays as it is. */
export function useReadableNumber(): (number: string) => string {
  const { withheld } = useTexts(remoteNumberTexts)
  return useCallback((number) => (number === WITHHELD_NUMBER ? withheld : readablePhone(number)), [withheld])
}

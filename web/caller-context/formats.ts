import { useMemo } from 'react'

import { localeOf, useLanguage } from '../i18n/language.tsx'

/** Dates and money in the chosen language; anything else is unchanged. */
export function useFormats() {
  const { language } = useLanguage()
  return useMemo(() => {
    const locale = localeOf(language)
    return {
      date: (text: string) => formatDate(locale, text),
      money: ({ amount, currency }: { amount: string; currency: string }) =>
        formatMoney(locale, amount, currency),
    }
  }, [language])
}

function formatDate(locale: string, text: string): string {
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) return text
  // A day without a time is the same in every time zone.
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text)
  const how: Intl.DateTimeFormatOptions = isDay
    ? { dateStyle: 'medium', timeZone: 'UTC' }
    : { dateStyle: 'medium', timeStyle: 'short' }
  return new Intl.DateTimeFormat(locale, how).format(at)
}

function formatMoney(locale: string, amount: string, currency: string): string {
  try {
    const written = new Intl.NumberFormat(locale, { style: 'currency', currency }).format(Number(amount))
    if (!written.includes('NaN')) return written
  } catch {
    // An unknown currency is shown unchanged.
  }
  return `${amount} ${currency}`
}

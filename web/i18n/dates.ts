import { useMemo } from 'react'

import { localeOf, useLanguage } from './language.tsx'

const DAY_MS = 24 * 60 * 60 * 1000

/** Times in the chosen language. */
export function useDates() {
  const { language } = useLanguage()
  return useMemo(() => {
    const locale = localeOf(language)
    const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options)
    const time = format({ hour: '2-digit', minute: '2-digit' })
    const weekday = format({ weekday: 'short' })
    const day = format({ day: 'numeric', month: 'short' })
    const year = format({ day: 'numeric', month: 'short', year: 'numeric' })
    const whole = format({ dateStyle: 'medium', timeStyle: 'short' })
    const soon = format({ weekday: 'short', hour: '2-digit', minute: '2-digit' })
    const longDay = format({ weekday: 'long', day: 'numeric', month: 'long' })
    const dayOfYear = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
    return {
      time: (at: string) => time.format(new Date(at)),
      whole: (at: string) => whole.format(new Date(at)),
      /** Within about a week from now. */
      soon: (at: string) => soon.format(new Date(at)),
      longDay(at: string): string {
        const then = new Date(at)
        return (then.getFullYear() === new Date().getFullYear() ? longDay : dayOfYear).format(then)
      },
      /** As short as possible: a time today, a weekday this week, else a date. */
      brief(at: string): string {
        const then = new Date(at)
        const now = new Date()
        const age = now.getTime() - then.getTime()
        if (then.toDateString() === now.toDateString()) return time.format(then)
        if (age > 0 && age < 6 * DAY_MS) return weekday.format(then)
        return (then.getFullYear() === now.getFullYear() ? day : year).format(then)
      },
    }
  }, [language])
}

/** `3:07` */
export function clockTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  const rest = String(whole % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}

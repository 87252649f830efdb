import { cardinal, ordinal, year } from './numbers.ts'

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)
const WEEKDAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')
const MONTH = `(?:${MONTHS.map((name) => (name.length > 4 ? `${name}|${name.slice(0, 3)}\\b\\.?` : name)).join('|')}|Sept\\b\\.?)`
const WEEKDAY = '(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)\\b\\.?'
const DASH = '\\s*-\\s*'
const HALF_OF_DAY = '([ap])\\.?\\s?m\\b\\.?'
/** After these words, 8.30 is a time and 24/12 a date. */
const WHEN = '(?:at|from|to|until|till|til|by|before|after|between|and|since|on)'

/** The full stop of 'p.m.' or 'Nov.' also ends the sentence if a new one seems to begin. */
const keepStop = (match: string, after: string) =>
  match.endsWith('.') && /^\s*($|[A-Z])/.test(after) ? '.' : ''

export function speakDatesAndTimes(text: string): string {
  return speakTimes(speakDates(speakWeekdays(text)))
}

const fullName = (names: string[], short: string) =>
  names.find((name) => name.startsWith(short.replace(/^(\w{3}).*/, '$1'))) ?? short

function speakWeekdays(text: string): string {
  return text
    .replace(
      new RegExp(`\\b(${WEEKDAY})${DASH}(?=${WEEKDAY})`, 'g'),
      (_, day: string) => `${fullName(WEEKDAYS, day)} to `,
    )
    .replace(new RegExp(`\\b(${WEEKDAYS.join('|')})${DASH}(?=${WEEKDAYS.join('|')})`, 'g'), '$1 to ')
    .replace(
      new RegExp(`\\b(to )(${WEEKDAY})`, 'g'),
      (_, to: string, day: string) => to + fullName(WEEKDAYS, day),
    )
    .replace(/\b(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri)\b\.?/g, (day) => fullName(WEEKDAYS, day))
    .replace(/\b(?:Sat|Sun)(?:\.|\b(?=:|,?\s+\d|\s*(?:and|&)))/g, (day) => fullName(WEEKDAYS, day))
}

const isDate = (day: number, month: number) => day >= 1 && day <= 31 && month >= 1 && month <= 12
const spokenDate = (day: number, month: number, inYear?: number) =>
  `${MONTHS[month - 1]} ${ordinal(day)}${inYear === undefined ? '' : `, ${year(inYear)}`}`

function speakDates(text: string): string {
  return text
    .replace(/\b(\d{4})-(\d{2})-(\d{2})\b/g, (match, y: string, m: string, d: string) =>
      isDate(Number(d), Number(m)) ? spokenDate(Number(d), Number(m), Number(y)) : match,
    )
    .replace(
      /\b(\d{1,2})([./-])(\d{1,2})\2(\d{4})\b/g,
      (match, a: string, _: string, b: string, y: string) => {
        // Day first, as nearly everywhere; the American order only if that is not a valid date.
        if (isDate(Number(a), Number(b))) return spokenDate(Number(a), Number(b), Number(y))
        return isDate(Number(b), Number(a)) ? spokenDate(Number(b), Number(a), Number(y)) : match
      },
    )
    .replace(
      new RegExp(`\\b(${WHEN}\\s+)(\\d{1,2})/(\\d{1,2})(?![\\d/])`, 'gi'),
      (match, when: string, d: string, m: string) =>
        isDate(Number(d), Number(m)) ? when + spokenDate(Number(d), Number(m)) : match,
    )
    .replace(
      new RegExp(`\\b(${MONTH})\\s+(\\d{1,2})(?:st|nd|rd|th)?\\b(?:(,?\\s+)(\\d{4})\\b)?(?!:)`, 'g'),
      (match, month: string, day: string, _: string, y?: string) =>
        isDate(Number(day), 1)
          ? `${fullName(MONTHS, month)} ${ordinal(Number(day))}${y ? `, ${year(Number(y))}` : ''}`
          : match,
    )
    .replace(
      new RegExp(
        `\\b(the )?(\\d{1,2})(?:st|nd|rd|th)?\\.?( of)?\\s+(${MONTH})(?:(,?\\s+)(\\d{4})\\b)?`,
        'gi',
      ),
      (match, _the, day: string, _of, month: string, _gap, y: string | undefined, at: number) =>
        isDate(Number(day), 1)
          ? `the ${ordinal(Number(day))} of ${fullName(MONTHS, capitalised(month))}` +
            (y ? `, ${year(Number(y))}` : keepStop(match, text.slice(at + match.length)))
          : match,
    )
    .replace(
      new RegExp(`\\b(${MONTH})\\s+(\\d{4})\\b`, 'g'),
      (_, month: string, y: string) => `${fullName(MONTHS, month)} ${year(Number(y))}`,
    )
    .replace(/\b(Jan|Feb|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?/g, (month) => fullName(MONTHS, month))
}

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()

function speakTimes(text: string): string {
  return (
    text
      // Ranges first, while both ends are still digits: 9-5pm, 9am-5pm, 8:00-16:00.
      .replace(/(\d|\b[ap]\.?m\.?)\s*-\s*(?=\d{1,2}(?:[:.]\d{2})?\s*[ap]\.?m\b)/gi, '$1 to ')
      .replace(/([ap]\.?m\.?)\s*-\s*(?=\d)/gi, '$1 to ')
      .replace(/\b(\d{1,2})[:.](\d{2})\s*-\s*(?=\d{1,2}[:.]\d{2}\b)/g, '$1:$2 to ')
      .replace(
        new RegExp(
          `\\b(${WHEN}\\s+)(\\d{1,2})\\.([0-5]\\d)\\b(?![.,]?\\d)(?!\\s*(?:%|percent|million|billion|euros?|dollars?|pounds?|kroner|kr\\b|km|kg))`,
          'gi',
        ),
        '$1$2:$3',
      )
      .replace(
        new RegExp(`\\b(\\d{1,2})(?:[:.]([0-5]\\d))?\\s*${HALF_OF_DAY}`, 'gi'),
        (match, h: string, m: string | undefined, half: string, at: number, whole: string) =>
          Number(h) <= 24
            ? twelveHours(Number(h) > 12 ? Number(h) - 12 : Number(h), Number(m ?? 0), half.toUpperCase()) +
              keepStop(match, whole.slice(at + match.length))
            : match,
      )
      .replace(/\b(\d{1,2}):([0-5]\d)(?::[0-5]\d)?\b/g, (match, h: string, m: string) =>
        Number(h) <= 24 ? twentyFourHours(Number(h), Number(m)) : match,
      )
      .replace(/\bo'clock o'clock\b/g, "o'clock")
  )
}

const minutes = (m: number) => (m < 10 ? `oh ${cardinal(m)}` : cardinal(m))
const twelveHours = (h: number, m: number, half: string) =>
  `${cardinal(h === 0 ? 12 : h)}${m ? ` ${minutes(m)}` : ''} ${half} M`

/** Afternoon hours in the usual way: nobody asks a caller to ring at sixteen hundred. */
function twentyFourHours(h: number, m: number): string {
  if (h % 24 === 0 && m === 0) return 'midnight'
  if (h % 24 === 0) return twelveHours(12, m, 'A')
  if (h > 12) return twelveHours(h - 12, m, 'P')
  return m ? `${cardinal(h)} ${minutes(m)}` : `${cardinal(h)} o'clock`
}

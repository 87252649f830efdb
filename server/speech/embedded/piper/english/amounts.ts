import { cardinal, ordinal, year } from './numbers.ts'

const NUMBER = '\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+(?:\\.\\d+)?'
const SCALE = '(?:\\s?(million|billion|thousand|m|bn|k)\\b)?'
const SCALES: Record<string, string> = { m: 'million', bn: 'billion', k: 'thousand' }

interface Currency {
  one: string
  many: string
  cents: [string, string]
}
const DOLLAR: Currency = { one: 'dollar', many: 'dollars', cents: ['cent', 'cents'] }
const EURO: Currency = { one: 'euro', many: 'euros', cents: ['cent', 'cents'] }
const POUND: Currency = { one: 'pound', many: 'pounds', cents: ['penny', 'pence'] }
const KRONE: Currency = { one: 'krone', many: 'kroner', cents: ['øre', 'øre'] }
const CURRENCIES: Record<string, Currency> = {
  $: DOLLAR,
  usd: DOLLAR,
  '€': EURO,
  eur: EURO,
  '£': POUND,
  gbp: POUND,
  kr: KRONE,
  dkk: KRONE,
  nok: KRONE,
  sek: KRONE,
}

const UNITS: Record<string, [string, string]> = {
  km: ['kilometer', 'kilometers'],
  m: ['meter', 'meters'],
  cm: ['centimeter', 'centimeters'],
  mm: ['millimeter', 'millimeters'],
  kg: ['kilogram', 'kilograms'],
  g: ['gram', 'grams'],
  min: ['minute', 'minutes'],
  mins: ['minute', 'minutes'],
  sec: ['second', 'seconds'],
  secs: ['second', 'seconds'],
  h: ['hour', 'hours'],
  hr: ['hour', 'hours'],
  hrs: ['hour', 'hours'],
  GB: ['gigabyte', 'gigabytes'],
  MB: ['megabyte', 'megabytes'],
  '°C': ['degree Celsius', 'degrees Celsius'],
  '°F': ['degree Fahrenheit', 'degrees Fahrenheit'],
  '°': ['degree', 'degrees'],
}
const FRACTIONS: Record<string, string> = {
  '1/2': 'one half',
  '1/3': 'one third',
  '2/3': 'two thirds',
  '1/4': 'one quarter',
  '3/4': 'three quarters',
}

/** '1.299,50', which cannot be an English number. */
const CONTINENTAL = /\b(\d{1,3}(?:\.\d{3})*),(\d{2})\b(?![.,]?\d)/g

/** Money, fractions, ordinals, measures and, last, all other numbers. */
export function speakAmounts(text: string): string {
  return speakFigures(speakUnits(speakMoney(text)))
}

function speakMoney(text: string): string {
  return text
    .replace(
      CONTINENTAL,
      (_, whole: string, hundredths: string) => `${whole.replaceAll('.', '')}.${hundredths}`,
    )
    .replace(
      new RegExp(`([$€£]|\\b(?:USD|EUR|GBP|DKK|NOK|SEK|kr)\\b\\.?)\\s?(${NUMBER})${SCALE}`, 'gi'),
      (_, currency: string, amount: string, scale?: string) => sum(currency.replace('.', ''), amount, scale),
    )
    .replace(
      new RegExp(
        `\\b(${NUMBER})${SCALE}\\s?([$€£]|(?:USD|EUR|GBP|DKK|NOK|SEK|kr)\\b(?:\\.(?= [a-z]))?)`,
        'gi',
      ),
      (_, amount: string, scale: string | undefined, currency: string) =>
        sum(currency.replace('.', ''), amount, scale),
    )
}

function sum(currency: string, amount: string, scale?: string): string {
  const { one, many, cents } = CURRENCIES[currency.toLowerCase()] ?? DOLLAR
  if (scale) return `${cardinal(amount)} ${SCALES[scale.toLowerCase()] ?? scale.toLowerCase()} ${many}`
  const [whole = '0', fraction = ''] = amount.replaceAll(',', '').split('.')
  const hundredths = Number(fraction.padEnd(2, '0').slice(0, 2))
  const small = `${cardinal(hundredths)} ${cents[hundredths === 1 ? 0 : 1]}`
  if (hundredths && Number(whole) === 0) return small
  const big = `${cardinal(whole)} ${Number(whole) === 1 ? one : many}`
  return hundredths ? `${big} and ${small}` : big
}

function speakUnits(text: string): string {
  const units = Object.keys(UNITS)
    .toSorted((a, b) => b.length - a.length)
    .join('|')
  return text
    .replace(/\b24\/7\b/g, 'twenty four seven')
    .replace(/(\d)\s?%/g, '$1 percent')
    .replace(new RegExp(`\\b(${NUMBER})\\s?(${units})(?![\\w'])`, 'g'), (_, amount: string, unit: string) => {
      const [one, many] = UNITS[unit] ?? ['', '']
      return `${cardinal(amount)} ${amount === '1' ? one : many}`
    })
}

function speakFigures(text: string): string {
  return text
    .replace(/\b(\d+)(?:st|nd|rd|th)\b/gi, (_, n: string) => ordinal(Number(n)))
    .replace(
      /\b([1-3])[/\u2044]([2-4])\b(?!\/)/g,
      (match) => FRACTIONS[match.replace('\u2044', '/')] ?? match,
    )
    .replace(/(?<!-)\b(\d+)\s*-\s*(?=\d+(?!\d|-))/g, '$1 to ')
    .replace(/(^|[\s(])-(?=\d)/g, '$1minus ')
    .replace(/\b(19|20)(\d\d)s\b/g, (_, century: string, rest: string) =>
      `${year(Number(century + rest))}s`.replace(/ys$/, 'ies'),
    )
    .replace(/(?<![\d.,])((?:19|20)\d\d)(?![\d]|[.,]\d)/g, (_, n: string) => year(Number(n)))
    .replace(/\d+(?:\.\d+){2,}/g, (version) => version.split('.').map(cardinal).join(' point '))
    .replace(new RegExp(NUMBER, 'g'), (n, at: number, whole: string) => {
      // A digit inside a word, as in B2B, is read on its own.
      const before = /\p{L}/u.test(whole.charAt(at - 1)) ? ' ' : ''
      return `${before}${cardinal(n)}${/\p{L}/u.test(whole.charAt(at + n.length)) ? ' ' : ''}`
    })
}

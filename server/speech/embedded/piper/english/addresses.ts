import { digitByDigit } from './numbers.ts'

/** Top-level domains that are pronounced as words; other short ones are spelled. */
const SAID_ENDINGS = new Set([
  'com',
  'org',
  'net',
  'info',
  'biz',
  'gov',
  'app',
  'shop',
  'online',
  'store',
  'cloud',
  'dev',
])
const ENDINGS = [
  ...SAID_ENDINGS,
  'io',
  'ai',
  'co',
  'tv',
  'me',
  'eu',
  'dk',
  'uk',
  'us',
  'ca',
  'au',
  'nz',
  'ie',
  'de',
  'se',
  'no',
  'fi',
  'is',
  'nl',
  'be',
  'fr',
  'es',
  'it',
  'pt',
  'pl',
  'ch',
  'at',
  'in',
  'edu',
]
const HOST = `(?:[a-z0-9-]+\\.)+(?:${ENDINGS.join('|')})`

/** E-mail addresses, domain names and telephone numbers, as they are read to a caller. */
export function speakAddresses(text: string): string {
  return text
    .replace(
      /\b([\w.+-]+)@([a-z0-9-]+(?:\.[a-z0-9-]+)+)\b/gi,
      (_, name: string, host: string) => `${signs(name)} at ${hostName(host)}`,
    )
    .replace(
      new RegExp(`(?:\\bhttps?://)((?:[a-z0-9-]+\\.)*[a-z0-9-]+)(?::\\d+)?(/[\\w./?=&%#-]*)?`, 'gi'),
      (match, host: string, path?: string) => webPage(match, host, path),
    )
    .replace(
      new RegExp(`\\b(${HOST})\\b(/[\\w./?=&%#-]*)?(?!\\.\\w)`, 'gi'),
      (match, host: string, path?: string) => webPage(match, host, path),
    )
}

function webPage(match: string, host: string, path = ''): string {
  const steps = path.split(/[/?#&=]+/).filter((step) => step && step !== '.')
  const stop = match.endsWith('.') ? '.' : ''
  return [hostName(host), ...steps.map((step) => `slash ${signs(step.replace(/\.$/, ''))}`)].join(' ') + stop
}

function hostName(host: string): string {
  return host
    .split('.')
    .map((label, at, all) => {
      if (label.toLowerCase() === 'www') return 'W W W'
      const ending = at > 0 && at >= all.length - 2 && label.length <= 3
      return ending && !SAID_ENDINGS.has(label.toLowerCase()) ? spelled(label) : signs(label)
    })
    .join(' dot ')
}

const spelled = (letters: string) => Array.from(letters.toUpperCase()).join(' ')

const SIGNS: Record<string, string> = {
  '.': 'dot',
  '-': 'dash',
  _: 'underscore',
  '+': 'plus',
  '%': 'percent',
}

function signs(name: string): string {
  return name
    .replace(/[._+%-]/g, (sign) => ` ${SIGNS[sign]} `)
    .replace(/\d+/g, (digits) => ` ${digits.length > 2 ? digitByDigit(digits) : digits} `)
    .replace(/\s+/g, ' ')
    .trim()
}

const PHONE =
  /(?<![\w.,$€£#:/])(?:\+ ?|00(?=[1-9]))?\(?\d{1,5}\)?(?:[ .-]?\(?\d{1,5}\)?){1,7}(?![\w%:]|[.,/]\d)/g
const PHONE_DIGITS = { min: 7, max: 15 }

export function speakPhoneNumbers(text: string): string {
  return text
    .replace(PHONE, (match) => {
      const digits = match.replace(/\D/g, '')
      const isPhone = digits.length >= PHONE_DIGITS.min && digits.length <= PHONE_DIGITS.max
      if (!isPhone || /^(19|20)\d\d ?- ?(19|20)\d\d$/.test(match) || /^\d+\.\d+$|^\d0{6,}$/.test(match))
        return match
      const abroad = match.startsWith('+')
      // The zero in '+44 (0)20' is not dialled from abroad.
      const groups = (abroad ? match.replace('(0)', ' ') : match).match(/\d+/g) ?? []
      return (abroad ? 'plus ' : '') + groups.flatMap(inShortGroups).map(digitByDigit).join(', ')
    })
    .replace(/#\s?(\d{3,})\b/g, (_, digits: string) => `number ${digitByDigit(digits)}`)
    .replace(
      /\b((?:call|dial|phone|ring|text|extension|ext\.?|code|pin|number|room|tel\.?):? )(\d{3,6})\b(?![,.:]\d)/gi,
      (_, word: string, digits: string) => word + digitByDigit(digits),
    )
}

/** Eight digits in one breath are hard to remember. */
function inShortGroups(digits: string): string[] {
  if (digits.length <= 4) return [digits]
  return digits.match(digits.length % 3 === 0 ? /\d{3}/g : /\d{1,2}/g) ?? []
}

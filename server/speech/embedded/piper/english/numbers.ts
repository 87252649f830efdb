const ONES = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen ' +
  'seventeen eighteen nineteen'
).split(' ')
const TENS = ' ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const THOUSANDS = ['', 'thousand', 'million', 'billion', 'trillion']
const IRREGULAR_ORDINALS: Record<string, string> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
}
/** Longer numbers are not quantities. */
const CARDINAL_DIGITS_MAX = 15

/** '0450' → 'zero four five zero' */
export const digitByDigit = (digits: string): string =>
  Array.from(digits.replace(/\D/g, ''), (digit) => ONES[Number(digit)]).join(' ')

/** '1,204' → 'one thousand two hundred four', '3.05' → 'three point zero five' */
export function cardinal(written: string | number): string {
  const [whole = '', fraction] = String(written).replaceAll(',', '').split('.')
  const words =
    whole.length > CARDINAL_DIGITS_MAX || /^0\d/.test(whole) ? digitByDigit(whole) : count(Number(whole))
  return fraction ? `${words} point ${digitByDigit(fraction)}` : words
}

function count(n: number): string {
  if (n === 0) return 'zero'
  const words: string[] = []
  for (let scale = 0, rest = n; rest > 0; scale++, rest = Math.floor(rest / 1_000)) {
    const group = rest % 1_000
    if (group) words.unshift(`${belowThousand(group)} ${THOUSANDS[scale]}`.trim())
  }
  return words.join(' ')
}

function belowThousand(n: number): string {
  const hundreds = Math.floor(n / 100)
  const rest = n % 100
  const tail =
    rest < 20
      ? rest
        ? ONES[rest]
        : ''
      : `${TENS[Math.floor(rest / 10)]} ${rest % 10 ? ONES[rest % 10] : ''}`
  return `${hundreds ? `${ONES[hundreds]} hundred` : ''} ${tail}`.trim()
}

/** 21 → 'twenty first' */
export function ordinal(n: number): string {
  const words = cardinal(n).split(' ')
  const last = words.pop() ?? ''
  const th = IRREGULAR_ORDINALS[last] ?? (last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`)
  return [...words, th].join(' ')
}

/** 1905 → 'nineteen oh five', 2026 → 'twenty twenty six', 2005 → 'two thousand five' */
export function year(n: number): string {
  const [century, rest] = [Math.floor(n / 100), n % 100]
  if (n % 1_000 < 10) return cardinal(n)
  if (rest === 0) return `${cardinal(century)} hundred`
  return `${cardinal(century)} ${rest < 10 ? `oh ${cardinal(rest)}` : cardinal(rest)}`
}

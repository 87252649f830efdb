/** How a carrier writes numbers. Internally a number is E.164 with its plus. */
export type NumberFormat =
  | { style: 'e164' }
  /** E.164 without the plus. */
  | { style: 'plain' }
  /** As dialled in a country: national numbers without the country code, others after a prefix. */
  | { style: 'national'; countryCode: string; nationalPrefix: string; internationalPrefix: string }

export function formatNumber(number: string, format: NumberFormat): string {
  // Emergency and short numbers have no international form.
  if (!number.startsWith('+')) return number
  const digits = number.replace(/^\+/, '')
  switch (format.style) {
    case 'e164':
      return `+${digits}`
    case 'plain':
      return digits
    case 'national':
      return digits.startsWith(format.countryCode)
        ? format.nationalPrefix + digits.slice(format.countryCode.length)
        : format.internationalPrefix + digits
  }
}

/** Undefined if it is not a number, such as `anonymous`. */
export function parseNumber(user: string, format: NumberFormat): string | undefined {
  const text = user.replace(/[\s().-]/g, '')
  if (/^\+\d+$/.test(text)) return text
  if (!/^\d+$/.test(text)) return undefined
  if (format.style !== 'national') return `+${text}`
  const { countryCode, nationalPrefix, internationalPrefix } = format
  if (text.startsWith(internationalPrefix)) return `+${text.slice(internationalPrefix.length)}`
  return `+${countryCode}${text.startsWith(nationalPrefix) ? text.slice(nationalPrefix.length) : text}`
}

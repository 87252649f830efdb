import { getCountries } from 'libphonenumber-js/max'

/** Areas with their own numbering plan that are not countries of ISO 3166-1. */
const NOT_ISO = new Set(['AC', 'TA', 'XK'])

/** Every country whose phone numbers can be parsed. */
const supported: ReadonlySet<string> = new Set(getCountries().filter((code) => !NOT_ISO.has(code)))

export const isSupportedCompanyCountry = (code: string) => supported.has(code)

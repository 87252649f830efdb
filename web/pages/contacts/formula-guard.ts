/**
 * Characters that begin a formula in a spreadsheet, some of them after spaces; East Asian editions accept full-width
 * characters too. Includes leading quotes, so that guarded values and those that only look like it can be told apart.
 */
const FORMULA = String.raw`['\s]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|'*[\t\r\n]`

const BEGINS_FORMULA = new RegExp(`^(?:${FORMULA})`)
const GUARDED_FORMULA = new RegExp(`^'(?=${FORMULA})`)

/** The quote makes it text for spreadsheets. */
export const guardFormula = (text: string) => (BEGINS_FORMULA.test(text) ? `'${text}` : text)

export const withoutGuard = (text: string) => text.replace(GUARDED_FORMULA, '')

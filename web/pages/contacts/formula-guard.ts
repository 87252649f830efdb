/**
 * What a spreadsheet begins a formula with, some of them after spaces: East Asian editions take the full-width signs
 * as well. Quotes before it count too, so that what was guarded and what only looks so are told apart on the way back.
 */
const FORMULA = String.raw`['\s]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|'*[\t\r\n]`

const BEGINS_FORMULA = new RegExp(`^(?:${FORMULA})`)
const GUARDED_FORMULA = new RegExp(`^'(?=${FORMULA})`)

/** The quote makes it a text to spreadsheets. */
export const guardFormula = (text: string) => (BEGINS_FORMULA.test(text) ? `'${text}` : text)

export const withoutGuard = (text: string) => text.replace(GUARDED_FORMULA, '')

import { AppError } from '../errors.ts'

export const FORM = 'application/x-www-form-urlencoded'

/** Of every form that is sent to us, and the fields of a page's query too. No form of ours comes near them. */
export const FORM_LIMITS = { bytes: 16 * 1024, fields: 50 }

const tooManyFields = new AppError({
  status: 400,
  code: 'invalid_request',
  message: `Send at most ${FORM_LIMITS.fields} fields.`,
})

/** Repeated fields are kept, for those who must refuse them. */
export function readForm(text: string): URLSearchParams {
  if (text.split('&', FORM_LIMITS.fields + 1).length > FORM_LIMITS.fields) throw tooManyFields
  return new URLSearchParams(text)
}

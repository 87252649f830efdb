import { AppError } from '../errors.ts'
import { FORM_LIMITS } from '../limits.ts'

export const FORM = 'application/x-www-form-urlencoded'

const tooManyFields = new AppError({
  status: 400,
  code: 'invalid_request',
  message: `Send at most ${FORM_LIMITS.fields} fields.`,
})

/** Keeps repeated fields, for those who must refuse them. */
export function readForm(text: string): URLSearchParams {
  if (text.split('&', FORM_LIMITS.fields + 1).length > FORM_LIMITS.fields) throw tooManyFields
  return new URLSearchParams(text)
}

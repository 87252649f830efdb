import { z } from 'zod'

import { AppError } from '../../../platform/errors.ts'
import { StorableText } from '../../../platform/schemas.ts'
import { LIMITS } from '../limits.ts'

/** Validated only once the header is known; its error is not a validation error. */
export const KeyInBody = z
  .unknown()
  .optional()
  .meta({ type: 'string', minLength: 1, maxLength: LIMITS.keyCharacters })

const Key = StorableText.min(1).max(LIMITS.keyCharacters)

/** The header takes precedence. */
export function requireKey(inHeader: string | undefined, inBody: unknown): string {
  const key = Key.safeParse(inHeader ?? inBody)
  if (!key.success) throw keyRequired()
  return key.data
}

const keyRequired = () =>
  new AppError({
    status: 409,
    code: 'idempotency_key_required',
    message: `idempotency_key must have 1 to ${LIMITS.keyCharacters} characters, in the body or in the header Idempotency-Key.`,
  })

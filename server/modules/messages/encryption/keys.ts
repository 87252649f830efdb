import { z } from 'zod'

import { AppError } from '../../../platform/errors.ts'
import { StorableText } from '../../../platform/schemas.ts'
import { LIMITS } from '../limits.ts'

/** Looked at when it is known whether the header has it; a fault is not one of validation. */
export const KeyInBody = z
  .unknown()
  .optional()
  .meta({ type: 'string', minLength: 1, maxLength: LIMITS.keyCharacters })

const Key = StorableText.min(1).max(LIMITS.keyCharacters)

/** The header wins. */
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

import { z } from 'zod'

import { AppError } from '../../../platform/errors.ts'
import { StorableText } from '../../../platform/schemas.ts'
import { MESSAGE_LIMITS } from '../limits.ts'

/** Validated only once the header is known; its error is not a validation error. */
export const IdempotencyKeyField = z.unknown().optional().meta({
  type: 'string',
  minLength: 1,
  maxLength: MESSAGE_LIMITS.keyCharacters,
  description: 'New for each intentional text; the same when a call is repeated, which then sends nothing.',
})

const Key = StorableText.trim().min(1).max(MESSAGE_LIMITS.keyCharacters)

/** The header takes precedence. */
export function requireIdempotencyKey(inHeader: string | undefined, inBody: unknown): string {
  const key = Key.safeParse(inHeader ?? inBody)
  if (!key.success) throw keyRequired()
  return key.data
}

const keyRequired = () =>
  new AppError({
    status: 409,
    code: 'idempotency_key_required',
    message: `idempotency_key must have 1 to ${MESSAGE_LIMITS.keyCharacters} characters, in the body or in the header Idempotency-Key.`,
  })

import { AppError } from '../../platform/errors.ts'
import { encodeId } from '../../platform/ids.ts'
import { MESSAGE_LIMITS } from './limits.ts'

export const mmsNotSupported = () =>
  new AppError({
    status: 422,
    code: 'mms_not_supported',
    message: 'Only texts can be sent: leave format out.',
    errors: { format: ['must be sms: MMS cannot be sent'] },
  })

/** The recipient is the name of a caller or sender without a number. */
export const cannotReply = () =>
  new AppError({
    status: 422,
    code: 'cannot_reply',
    message: 'They called or wrote without a number, so they cannot be texted.',
    errors: { to: ['has no number that can be texted'] },
  })

export const ownNumber = () =>
  new AppError({
    status: 422,
    code: 'own_number',
    message: 'This is a number of your own company. Text a number outside it.',
    errors: { to: ['is a number of your own company'] },
  })

/** Thrown before anything is stored. */
export const numberCannotSend = () =>
  new AppError({
    status: 422,
    code: 'sending_unavailable',
    message: 'This number cannot send texts. Send from another one.',
  })

export const idempotencyKeyReused = () =>
  new AppError({
    status: 409,
    code: 'idempotency_key_reused',
    message:
      'This key belongs to a text with another recipient, body or employee. Use a new key for a new text.',
  })

export const notRetryable = () =>
  new AppError({
    status: 409,
    code: 'message_not_retryable',
    message: 'Only a text of an employee that has definitely failed can be retried.',
  })

export const tooManyTexts = () =>
  new AppError({
    status: 429,
    code: 'rate_limited',
    message: `A number sends at most ${MESSAGE_LIMITS.perMinute} texts a minute, retries included. Try again in a minute.`,
    headers: { 'retry-after': '60' },
  })

export const notAnEmployee = () =>
  new AppError({
    status: 403,
    code: 'employee_required',
    message: 'Texts are sent by an employee of the company. Use the key of a current one.',
  })

/** Thrown after it was stored: with its id, the client can read its status. */
export const refusedByProvider = (error: 'provider_rejected' | 'sending_unavailable', messageId: string) =>
  new AppError({
    status: 422,
    code: error,
    message:
      error === 'provider_rejected'
        ? 'The provider refused the text. Check the recipient before you retry it.'
        : 'The text could not be handed to the provider. Retry it in a moment.',
    ...(error === 'provider_rejected' && { errors: { to: ['was refused by the provider'] } }),
    body: { message_id: encodeId('msg', messageId) },
  })

/** `cause` is set if the provider has responded and the outcome could not be stored. */
export const outcomeUnknown = (messageId: string, cause?: unknown) =>
  new AppError({
    cause,
    status: 502,
    code: 'provider_unavailable',
    message:
      'The provider did not answer, so the text may have been sent. Read the message before you send again.',
    body: { message_id: encodeId('msg', messageId) },
  })

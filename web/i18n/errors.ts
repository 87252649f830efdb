import { ApiError } from '../api/client.ts'
import { Unreachable } from '../connection/reachability.ts'
import { refusalSentence } from '../refusals/reasons.ts'
import { refusalTexts } from '../refusals/texts.ts'
import { localeOf, texts, useLanguage, useTexts } from './language.tsx'

/** What went wrong, and what to do. The codes are those of the API; its own sentences are English. */
export const errorTexts = texts('error', {
  unreachable: 'Bellhop cannot be reached right now. Try again in a moment.',
  unexpected: 'Something went wrong. Try again in a moment.',
  refused: (message: string) => message,
  codes: {
    internal_error: 'Something went wrong in Bellhop. Try again in a moment.',
    not_found: 'It no longer exists.',
    unauthorized: 'You are signed out. Sign in again.',
    rate_limited: 'That was too often in a short time. Try again in a minute.',
    busy: 'Too many people are signing in right now. Try again in a moment.',
    request_timeout: 'The connection was too slow. Try again.',
    body_too_large: 'It is too large.',
    own_number: 'This is a number of your own company. Text a number outside it.',
    cannot_reply: 'They called or wrote without a number, so they cannot be texted.',
    sending_unavailable: 'The text could not be sent from this number. Try again, or send from another one.',
    provider_rejected: 'The network refused the text. Check the number.',
    provider_unavailable: 'It is not known whether the text was sent; ask before you send it again.',
    message_not_retryable: 'This text cannot be sent again.',
    employee_is_call_target:
      'Calls to these numbers ring the employee. Remove them from the call flows first.',
    creator_of_key_in_use: 'You cannot remove yourself. A coworker can.',
    last_employee: 'This is the last employee, and somebody must be able to sign in.',
    invitation_accepted: 'They have accepted the invitation already.',
    call_not_active: 'The call has ended, or has not been answered yet.',
    call_not_parked: 'Somebody has taken the call, or it has ended.',
    call_not_queued: 'The call no longer waits: somebody has answered it, or it has ended.',
    call_not_recorded: 'The call is not being recorded.',
    employee_unavailable: 'You cannot take a call right now.',
    target_unavailable: 'They cannot take a call right now.',
    not_call_controller: 'Only the person who has the call can do this.',
    transfer_in_progress: 'The call is already being transferred. Complete or cancel that first.',
    transfer_not_consulting: 'They have not answered yet.',
    transfer_not_open: 'The transfer is over.',
    outside_transfers_off:
      'Calls cannot be transferred to numbers outside the company. Whoever operates Bellhop can allow it.',
    number_not_callable:
      'The call cannot be transferred to that number. Choose coworkers by name; emergency, short and expensive numbers and some countries are not called.',
    number_unreachable: 'That number cannot be called right now. Try again in a minute.',
    parking_slot_taken: 'That parking space is taken.',
    webhook_paused: 'The webhook is paused. Switch it on first.',
    speech_failed: 'The text could not be spoken. Try again in a moment, or change the text.',
    no_business_number: 'Add a business number first.',
    too_many_numbers: 'The contact would have too many numbers.',
    too_many_favourites: 'You have as many favourites as fit. Remove one first.',
  },
})

/** An error as a sentence in the reader's language. */
export function useErrorText(): (error: Error) => string {
  const t = useTexts(errorTexts)
  const refusals = useTexts(refusalTexts)
  const { language } = useLanguage()
  return (error) => {
    if (error instanceof Unreachable) return t.unreachable
    if (!(error instanceof ApiError)) return t.unexpected
    if (Object.hasOwn(t.codes, error.code)) return t.codes[error.code as keyof typeof t.codes]
    const reasons = new Set(Object.values(error.fields).flat())
    if (error.code === 'validation_failed' && reasons.size > 0)
      return [...reasons].map((reason) => refusalSentence(refusals, localeOf(language), reason)).join(' ')
    return error.message === '' ? t.unexpected : t.refused(error.message)
  }
}

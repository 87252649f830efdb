import { ApiError } from '../api/client.ts'
import { Unreachable } from '../connection/reachability.ts'
import { texts, useTexts } from './language.tsx'

/** What went wrong, and what to do. The codes are those of the API; its own sentences are English. */
export const errorTexts = texts(
  {
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
      sending_unavailable:
        'The text could not be sent from this number. Try again, or send from another one.',
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
      too_many_favourites: 'You have as many favourites as fit. Remove one first.',
    },
  },
  {
    unreachable: 'Der er ingen forbindelse til Bellhop lige nu. Prøv igen om lidt.',
    unexpected: 'Noget gik galt. Prøv igen om lidt.',
    refused: (message) => `Det lykkedes ikke. Bellhop svarede: “${message}”`,
    codes: {
      internal_error: 'Noget gik galt i Bellhop. Prøv igen om lidt.',
      not_found: 'Den findes ikke længere.',
      unauthorized: 'Du er logget ud. Log ind igen.',
      rate_limited: 'Det var for mange gange på kort tid. Prøv igen om et minut.',
      busy: 'For mange logger ind lige nu. Prøv igen om lidt.',
      request_timeout: 'Forbindelsen var for langsom. Prøv igen.',
      body_too_large: 'Det fylder for meget.',
      own_number: 'Det er et af jeres egne numre. Skriv til et nummer uden for virksomheden.',
      cannot_reply: 'De ringede eller skrev uden nummer, så du kan ikke sende dem en sms.',
      sending_unavailable: 'Sms’en kunne ikke sendes fra nummeret. Prøv igen, eller send fra et andet.',
      provider_rejected: 'Nettet afviste sms’en. Tjek nummeret.',
      provider_unavailable: 'Vi ved ikke, om sms’en blev sendt. Spørg modtageren, før du sender den igen.',
      message_not_retryable: 'Den sms kan ikke sendes igen.',
      employee_is_call_target:
        'Opkald til de numre ringer hos medarbejderen. Fjern først medarbejderen fra numrenes opsætning.',
      creator_of_key_in_use: 'Du kan ikke fjerne dig selv. Det kan en kollega.',
      last_employee: 'Det er den sidste medarbejder, og nogen skal kunne logge ind.',
      invitation_accepted: 'Invitationen er allerede accepteret.',
      call_not_active: 'Opkaldet er slut eller er ikke besvaret endnu.',
      call_not_parked: 'En anden har taget opkaldet, eller det er slut.',
      call_not_queued: 'Opkaldet venter ikke længere: En anden har taget det, eller det er slut.',
      call_not_recorded: 'Opkaldet bliver ikke optaget.',
      employee_unavailable: 'Du kan ikke tage et opkald lige nu.',
      target_unavailable: 'Kollegaen kan ikke tage et opkald lige nu.',
      not_call_controller: 'Det kan kun den, der har opkaldet.',
      transfer_in_progress: 'Opkaldet er ved at blive stillet om. Gør det færdigt, eller fortryd det først.',
      transfer_not_consulting: 'Kollegaen har ikke svaret endnu.',
      transfer_not_open: 'Omstillingen er slut.',
      outside_transfers_off:
        'Opkald kan ikke stilles om til numre uden for virksomheden. Det kan den, der driver Bellhop, give lov til.',
      number_not_callable:
        'Opkaldet kan ikke stilles om til det nummer. Vælg kolleger ved navn. Der bliver ikke ringet til alarmnumre, korte og dyre numre og visse lande.',
      number_unreachable: 'Der kan ikke ringes til nummeret lige nu. Prøv igen om et minut.',
      parking_slot_taken: 'Den parkeringsplads er optaget.',
      webhook_paused: 'Webhooken er sat på pause. Slå den til først.',
      speech_failed: 'Teksten kunne ikke læses op. Prøv igen om lidt, eller ret teksten.',
      no_business_number: 'Tilføj et firmanummer først.',
      too_many_favourites: 'Du kan ikke have flere favoritter. Fjern en først.',
    },
  },
)

/** An error as a sentence in the reader's language. */
export function useErrorText(): (error: Error) => string {
  const t = useTexts(errorTexts)
  return (error) => {
    if (error instanceof Unreachable) return t.unreachable
    if (!(error instanceof ApiError)) return t.unexpected
    if (Object.hasOwn(t.codes, error.code)) return t.codes[error.code as keyof typeof t.codes]
    return error.message === '' ? t.unexpected : t.refused(error.message)
  }
}

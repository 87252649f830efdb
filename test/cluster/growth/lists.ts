import { encodeId } from '../../../server/platform/ids.ts'
import type { MeasuredCompany } from './companies.ts'
import { BUSIEST, WORDS } from './fill/series.ts'

const PAGE = 'limit=25'

/** Every list of the HTTP API, with its filters. */
export function listsOf(company: MeasuredCompany): string[] {
  const number = encodeId('num', company.numberId)
  const busiest = encodeURIComponent(BUSIEST)
  return [
    '/session',
    '/company',
    '/employees',
    '/extensions',
    '/business_numbers',
    '/main_numbers',
    `/contacts?phone=${busiest}`,
    `/contacts/search?q=&${PAGE}`,
    `/contacts/search?q=person&${PAGE}`,
    `/contacts/search?q=2000&${PAGE}`,
    '/contacts/doubles',
    `/calls?${PAGE}`,
    `/calls?${PAGE}&direction=outbound`,
    `/calls?${PAGE}&state=ended`,
    `/calls?${PAGE}&main_number_id=${number}`,
    `/calls?${PAGE}&main_number_id=${number}&direction=inbound`,
    `/calls?${PAGE}&phone_number=${busiest}`,
    `/calls?${PAGE}&query=${WORDS.common}`,
    `/calls?${PAGE}&query=${WORDS.rare}`,
    `/calls?${PAGE}&query=zebra`,
    `/calls?${PAGE}&outcome=call_back`,
    '/calls/live',
    '/calls/active',
    '/calls/parked',
    '/calls/today',
    '/voicemails',
    `/voicemails/search?query=call&${PAGE}`,
    `/inbox?${PAGE}`,
    `/inbox?${PAGE}&unseen=true`,
    `/inbox?${PAGE}&business_number_id=${number}`,
    `/inbox?${PAGE}&query=person`,
    `/inbox?${PAGE}&query=2000`,
    `/inbox/threads?${PAGE}`,
    `/inbox/threads?${PAGE}&show=open`,
    `/inbox/threads?${PAGE}&query=person`,
    `/inbox/threads?${PAGE}&query=2000`,
    `/inbox/${busiest}/activity?${PAGE}`,
    `/inbox/${busiest}/activity?${PAGE}&business_number_id=${number}`,
    `/inbox/${busiest}/team`,
    `/inbox/${busiest}/notes?${PAGE}`,
    '/activity/unseen',
    '/favourites',
    '/text_snippets',
    '/onboarding',
    '/webhooks',
    `/webhooks/${encodeId('web', company.subscriptionId)}/deliveries?${PAGE}`,
    '/integrations',
    `/caller_context?phone=${busiest}`,
  ]
}

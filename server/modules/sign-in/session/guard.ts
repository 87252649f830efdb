import { AppError } from '../../../platform/errors.ts'
import { type Page, type PageReply, type PageRequest, redirectTo } from '../../../platform/http/page.ts'
import { signInUrl } from './return-path.ts'
import { hasCsrfToken, type Session, type Sessions } from './sessions.ts'

type Handle = Page['handle']
type SignedInHandle = (request: PageRequest, session: Session) => Promise<PageReply>

export type Guard = (handle: SignedInHandle) => Handle

const staleForm = new AppError({
  status: 403,
  code: 'stale_form',
  message: 'This form is out of date. Go back, load the page again, and send it once more.',
})

/** Only for who is wholly signed in, and forms only with the token of the session; everyone else signs in first. */
export function createGuard({ sessionOf }: Sessions): Guard {
  return (handle) => async (request) => {
    const session = await sessionOf(request.headers.cookie)
    if (!session) return redirectTo(signInUrl(returnTo(request)))
    requireCsrfToken(request, session)
    return handle(request, session)
  }
}

/** A form always has a token in it, and a page is asked for without one. */
export function requireCsrfToken({ method, form }: PageRequest, session: Session): void {
  if (method === 'POST' && !hasCsrfToken(session, form)) throw staleForm
}

/** What a form was sent to is no page to come back to. */
const returnTo = ({ method, url }: PageRequest) => (method === 'GET' ? url : undefined)

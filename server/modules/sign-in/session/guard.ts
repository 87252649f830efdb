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

/** Requires a complete session, and for forms its CSRF token; everyone else is sent to the sign-in. */
export function createGuard({ sessionOf }: Sessions): Guard {
  return (handle) => async (request) => {
    const session = await sessionOf(request.headers.cookie)
    if (!session) return redirectTo(signInUrl(returnTo(request)))
    requireCsrfToken(request, session)
    return handle(request, session)
  }
}

/** Forms need the CSRF token; a GET does not. */
export function requireCsrfToken({ method, form }: PageRequest, session: Session): void {
  if (method === 'POST' && !hasCsrfToken(session, form)) throw staleForm
}

/** The target of a form is not a page to return to. */
const returnTo = ({ method, url }: PageRequest) => (method === 'GET' ? url : undefined)

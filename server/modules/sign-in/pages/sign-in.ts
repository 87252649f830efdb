import { html } from '../../../platform/http/html.ts'
import { field, notice, page } from '../../../platform/http/layout.ts'
import { type Page, type PageReply, type PageRequest, redirectTo, show } from '../../../platform/http/page.ts'
import { requireCsrfToken } from '../guard.ts'
import { signInWithPassword } from '../password-sign-in.ts'
import { deleteSession } from '../queries.ts'
import { returnPath, signInUrl, withReturn } from '../return-path.ts'
import { csrfField, type Lack, type Session } from '../sessions.ts'
import { visitorOf } from '../visitor.ts'
import { goOn, HOME, mustWait, refused, waitText } from './answers.ts'
import type { PageParts } from './parts.ts'

const WRONG = 'That e-mail address and password do not belong together.'

/** What a page that leads here may ask to be said. */
const NOTICES: Record<string, string> = {
  'signed-out': 'You are signed out.',
  'password-set': 'Your new password is set. Sign in with it.',
}

export function signInPages(parts: PageParts): Page[] {
  const { db, cookies, sessions, signedIn } = parts

  async function ask({ query, headers }: PageRequest): Promise<PageReply> {
    const returnTo = returnPath(query.get('return_to'))
    const found = await sessions.anySessionOf(headers.cookie)
    if (found) return redirectTo(nextStep(found.lacks, returnTo) ?? returnTo ?? HOME)
    const said = NOTICES[query.get('notice') ?? '']
    return show(signInPage({ returnTo, said: said ? notice('success', said) : undefined }))
  }

  async function signIn(request: PageRequest): Promise<PageReply> {
    const { form } = request
    const email = form.get('email') ?? ''
    const returnTo = returnPath(form.get('return_to'))
    const typed = { email, password: form.get('password') ?? '' }
    const outcome = await signInWithPassword(parts, visitorOf(request), typed)
    if (outcome.ok) {
      const next = outcome.codeOwed ? nextStep('code', returnTo) : undefined
      // Whether the company asks for more than the password is seen where the session is used.
      return next === undefined
        ? goOn(returnTo, outcome.cookies)
        : redirectTo(next, { cookies: outcome.cookies })
    }
    if (outcome.why === 'wrong') {
      return show(signInPage({ email, returnTo, said: notice('error', WRONG) }), refused)
    }
    const said = notice('error', waitText(outcome.waitSeconds))
    return show(signInPage({ email, returnTo, said }), mustWait(outcome.waitSeconds))
  }

  /** A link cannot sign anybody out: the form has what shows that it was meant. */
  const askToSignOut = signedIn(async (_, session) => show(signOutPage(session)))

  async function signOut(request: PageRequest): Promise<PageReply> {
    const found = await sessions.anySessionOf(request.headers.cookie)
    if (found) {
      const { session } = found
      requireCsrfToken(request, session)
      await db.tx((tx) => deleteSession(tx, session.company.id, session.employee.id, session.sessionId))
    }
    return redirectTo(`${signInUrl()}?notice=signed-out`, { cookies: [cookies.clear('session')] })
  }

  return [
    { method: 'GET', path: '/sign-in', handle: ask },
    { method: 'POST', path: '/sign-in', handle: signIn },
    { method: 'GET', path: '/sign-out', handle: askToSignOut },
    { method: 'POST', path: '/sign-out', handle: signOut },
  ]
}

/** Where to give what the session lacks. */
function nextStep(lacks: Lack, returnTo: string | undefined): string | undefined {
  const path = { code: '/sign-in/code', two_factor_setup: '/account/two-factor/setup', nothing: undefined }[
    lacks
  ]
  return path && withReturn(path, returnTo)
}

interface SignInForm {
  email?: string
  returnTo?: string
  said?: ReturnType<typeof notice>
}

const signOutPage = (session: Session) =>
  page({
    title: 'Sign out?',
    body: html`<p>You are signed in as ${session.employee.email}.</p>
      <form method="post" action="/sign-out">${csrfField(session)}<button>Sign out</button></form>
      <p class="below"><a href="/">Back to the dashboard</a></p>`,
  })

const signInPage = ({ email, returnTo, said }: SignInForm) =>
  page({
    title: 'Sign in',
    body: html`${said}
      <form method="post" action="/sign-in">
        ${returnTo !== undefined && html`<input type="hidden" name="return_to" value="${returnTo}" />`}
        ${field({
          name: 'email',
          label: 'E-mail address',
          type: 'email',
          value: email,
          autocomplete: 'username',
          focus: email === undefined,
        })}
        ${field({
          name: 'password',
          label: 'Password',
          type: 'password',
          autocomplete: 'current-password',
          focus: email !== undefined,
        })}
        <button>Sign in</button>
      </form>
      <p class="below"><a href="/password-reset">Forgot your password?</a></p>`,
  })

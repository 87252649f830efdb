import { html, type Html } from '../../../platform/http/html.ts'
import { askedNotice, notice, page } from '../../../platform/http/layout.ts'
import { type Page, type PageReply, type PageRequest, redirectTo, show } from '../../../platform/http/page.ts'
import type { ViewerPreferences } from '../../../platform/http/viewer-preferences.ts'
import { SIGN_IN_LIMITS } from '../limits.ts'
import { signInWithPassword } from '../password/password-sign-in.ts'
import { endSession } from '../session/end-session.ts'
import { requireCsrfToken } from '../session/guard.ts'
import { requestClientOf } from '../session/request-client.ts'
import { returnPath, signInUrl, withReturn } from '../session/return-path.ts'
import { csrfField, type PendingStep, type Session } from '../session/sessions.ts'
import { signingInTexts } from '../texts/signing-in.ts'
import { currentPasswordField, emailField } from './fields.ts'
import type { SignInPageParts } from './page-dependencies.ts'
import { HOME, redirectAfterSignIn, tooManyAttempts, unprocessableForm, waitText } from './page-replies.ts'

export function signInPages(parts: SignInPageParts): Page[] {
  const { db, cookies, sessions, signedIn } = parts

  async function ask({ query, headers, reader }: PageRequest): Promise<PageReply> {
    const returnTo = returnPath(query.get('return_to'))
    const found = await sessions.anySessionOf(headers.cookie)
    if (found) return redirectTo(nextStep(found.lacks, returnTo) ?? returnTo ?? HOME)
    const said = askedNotice(signingInTexts[reader.language].notices, query)
    return show(signInPage(reader, { returnTo, said }))
  }

  async function signIn(request: PageRequest): Promise<PageReply> {
    const { form, reader } = request
    const email = form.get('email') ?? ''
    const returnTo = returnPath(form.get('return_to'))
    const typed = { email, password: form.get('password') ?? '' }
    const outcome = await signInWithPassword(parts, requestClientOf(request), typed)
    if (outcome.ok) {
      const next = outcome.codeOwed ? nextStep('code', returnTo) : undefined
      // Whether the company requires more than the password is checked when the session is used.
      return next === undefined
        ? redirectAfterSignIn(reader, returnTo, outcome.cookies)
        : redirectTo(next, { cookies: outcome.cookies })
    }
    if (outcome.why === 'wrong') {
      const said = notice('error', signingInTexts[reader.language].wrong)
      return show(signInPage(reader, { email, returnTo, said }), unprocessableForm)
    }
    const said = notice('error', waitText(reader, outcome.waitSeconds))
    return show(signInPage(reader, { email, returnTo, said }), tooManyAttempts(outcome.waitSeconds))
  }

  /** A link cannot sign anybody out: the form has the CSRF token. */
  const askToSignOut = signedIn(async ({ reader }, session) => show(signOutPage(reader, session)))

  async function signOut(request: PageRequest): Promise<PageReply> {
    const found = await sessions.anySessionOf(request.headers.cookie)
    if (found) {
      const { session } = found
      requireCsrfToken(request, session)
      await db.tx((tx) => endSession(tx, session.actor, session.sessionId))
    }
    return redirectTo(`${signInUrl()}?notice=signed-out`, {
      cookies: [cookies.clear('session'), cookies.announceSignOut(SIGN_IN_LIMITS.knownBrowserMs)],
    })
  }

  return [
    { method: 'GET', path: '/sign-in', handle: ask },
    { method: 'POST', path: '/sign-in', handle: signIn },
    { method: 'GET', path: '/sign-out', handle: askToSignOut },
    { method: 'POST', path: '/sign-out', handle: signOut },
  ]
}

/** The page for what the session still needs. */
function nextStep(lacks: PendingStep, returnTo: string | undefined): string | undefined {
  const path = { code: '/sign-in/code', two_factor_setup: '/account/two-factor/setup', nothing: undefined }[
    lacks
  ]
  return path && withReturn(path, returnTo)
}

interface SignInForm {
  email?: string
  returnTo?: string
  said?: Html
}

function signOutPage(reader: ViewerPreferences, session: Session): Html {
  const t = signingInTexts[reader.language]
  return page(reader, {
    title: t.signOutTitle,
    body: html`<p>${t.signedInAs(session.employee.email)}</p>
      <form method="post" action="/sign-out">${csrfField(session)}<button>${t.signOut}</button></form>
      <p class="below"><a href="/">${t.toDashboard}</a></p>`,
  })
}

function signInPage(reader: ViewerPreferences, { email, returnTo, said }: SignInForm): Html {
  const t = signingInTexts[reader.language]
  return page(reader, {
    title: t.title,
    body: html`${said}
      <form method="post" action="/sign-in">
        ${returnTo !== undefined && html`<input type="hidden" name="return_to" value="${returnTo}" />`}
        ${emailField({ label: t.email, value: email, focus: email === undefined })}
        ${currentPasswordField({ label: t.password, focus: email !== undefined })}
        <button>${t.button}</button>
      </form>
      <p class="below"><a href="/password-reset">${t.forgotten}</a></p>`,
  })
}

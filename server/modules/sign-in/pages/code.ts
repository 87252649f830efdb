import { html, type Html } from '../../../platform/http/html.ts'
import { field, notice, page } from '../../../platform/http/layout.ts'
import { type Page, type PageReply, type PageRequest, redirectTo, show } from '../../../platform/http/page.ts'
import type { ViewerPreferences } from '../../../platform/http/viewer-preferences.ts'
import { signInWithCode } from '../second-factor/two-factor.ts'
import { requireCsrfToken } from '../session/guard.ts'
import { requestClientOf } from '../session/request-client.ts'
import { returnPath, signInUrl } from '../session/return-path.ts'
import { csrfField, type Session } from '../session/sessions.ts'
import { twoFactorTexts } from '../texts/two-factor.ts'
import { codeField } from './fields.ts'
import type { SignInPageParts } from './page-dependencies.ts'
import { redirectAfterSignIn, tooManyAttempts, unprocessableForm, waitText } from './page-replies.ts'

/** The second step of a sign-in with two-factor authentication. */
export function codePages(parts: SignInPageParts): Page[] {
  /** Only for a session that still needs the code. */
  const owing =
    (handle: (request: PageRequest, session: Session) => Promise<PageReply>): Page['handle'] =>
    async (request) => {
      const found = await parts.sessions.anySessionOf(request.headers.cookie)
      const returnTo = request.query.get('return_to') ?? request.form.get('return_to') ?? undefined
      if (found?.lacks !== 'code') return redirectTo(signInUrl(returnTo))
      requireCsrfToken(request, found.session)
      return handle(request, found.session)
    }

  const ask = owing(async ({ query, reader }, session) =>
    show(codePage(reader, session, returnPath(query.get('return_to')))),
  )

  const give = owing(async (request, session) => {
    const { form, reader } = request
    const returnTo = returnPath(form.get('return_to'))
    const outcome = await signInWithCode(parts, requestClientOf(request), session, form.get('code') ?? '')
    if (outcome.ok) return redirectAfterSignIn(reader, returnTo, outcome.value)
    if (outcome.why === 'wrong') {
      const { wrongCode } = twoFactorTexts[reader.language]
      return show(codePage(reader, session, returnTo, wrongCode), unprocessableForm)
    }
    const wait = waitText(reader, outcome.waitSeconds)
    return show(codePage(reader, session, returnTo, wait), tooManyAttempts(outcome.waitSeconds))
  })

  return [
    { method: 'GET', path: '/sign-in/code', handle: ask },
    { method: 'POST', path: '/sign-in/code', handle: give },
  ]
}

function codePage(
  reader: ViewerPreferences,
  session: Session,
  returnTo: string | undefined,
  wrong?: string,
): Html {
  const t = twoFactorTexts[reader.language]
  const hidden = html`${csrfField(session)}
  ${returnTo !== undefined && html`<input type="hidden" name="return_to" value="${returnTo}" />`}`
  return page(reader, {
    title: t.enterTitle,
    body: html`${wrong !== undefined && notice('error', wrong)}
      <form method="post" action="/sign-in/code">
        ${hidden} ${codeField({ label: t.appCode, numeric: true, focus: true, maxLength: 10 })}
        <button>${t.continue}</button>
      </form>
      <details>
        <summary>${t.useRecoveryCode}</summary>
        <form method="post" action="/sign-in/code">
          ${hidden}
          ${field({
            name: 'code',
            id: 'recovery-code',
            label: t.recoveryCode,
            hint: t.recoveryCodeHint,
            autocomplete: 'off',
            maxLength: 40,
          })}
          <button class="quiet">${t.recoveryCodeButton}</button>
        </form>
      </details>
      <form class="below" method="post" action="/sign-out">
        ${csrfField(session)}<button class="quiet small">${t.someoneElse}</button>
      </form>`,
  })
}

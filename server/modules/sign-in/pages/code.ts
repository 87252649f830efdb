import { html, type Html } from '../../../platform/http/html.ts'
import { field, notice, page } from '../../../platform/http/layout.ts'
import { type Page, type PageReply, type PageRequest, redirectTo, show } from '../../../platform/http/page.ts'
import { requireCsrfToken } from '../guard.ts'
import { returnPath, signInUrl } from '../return-path.ts'
import { csrfField, type Session } from '../sessions.ts'
import { signInWithCode } from '../two-factor.ts'
import { visitorOf } from '../visitor.ts'
import { goOn, mustWait, refused, waitText } from './answers.ts'
import type { PageParts } from './parts.ts'

export const WRONG_CODE = 'That code is not right. Wait for the next one, and mind that each works once.'

/** The second step of a sign-in, for those who have a second factor. */
export function codePages(parts: PageParts): Page[] {
  /** Only a session that owes the code has anything to do here. */
  const owing =
    (handle: (request: PageRequest, session: Session) => Promise<PageReply>): Page['handle'] =>
    async (request) => {
      const found = await parts.sessions.anySessionOf(request.headers.cookie)
      const returnTo = request.query.get('return_to') ?? request.form.get('return_to') ?? undefined
      if (found?.lacks !== 'code') return redirectTo(signInUrl(returnTo))
      requireCsrfToken(request, found.session)
      return handle(request, found.session)
    }

  const ask = owing(async ({ query }, session) => show(codePage(session, returnPath(query.get('return_to')))))

  const give = owing(async (request, session) => {
    const returnTo = returnPath(request.form.get('return_to'))
    const code = request.form.get('code') ?? ''
    const outcome = await signInWithCode(parts, visitorOf(request), session, code)
    if (outcome.ok) return goOn(returnTo, outcome.value)
    return outcome.why === 'wrong'
      ? show(codePage(session, returnTo, WRONG_CODE), refused)
      : show(codePage(session, returnTo, waitText(outcome.waitSeconds)), mustWait(outcome.waitSeconds))
  })

  return [
    { method: 'GET', path: '/sign-in/code', handle: ask },
    { method: 'POST', path: '/sign-in/code', handle: give },
  ]
}

function codePage(session: Session, returnTo: string | undefined, wrong?: string): Html {
  const hidden = html`${csrfField(session)}
  ${returnTo !== undefined && html`<input type="hidden" name="return_to" value="${returnTo}" />`}`
  return page({
    title: 'Enter your code',
    body: html`${wrong !== undefined && notice('error', wrong)}
      <form method="post" action="/sign-in/code">
        ${hidden}
        ${field({
          name: 'code',
          label: 'Code from your authenticator app',
          autocomplete: 'one-time-code',
          numeric: true,
          focus: true,
          maxLength: 10,
        })}
        <button>Continue</button>
      </form>
      <details>
        <summary>Use a recovery code instead</summary>
        <form method="post" action="/sign-in/code">
          ${hidden}
          ${field({
            name: 'code',
            id: 'recovery-code',
            label: 'Recovery code',
            hint: 'One of those you kept when you set two-factor up. Each works once.',
            autocomplete: 'off',
            maxLength: 40,
          })}
          <button class="quiet">Use the recovery code</button>
        </form>
      </details>
      <form class="below" method="post" action="/sign-out">
        ${csrfField(session)}<button class="quiet small">Sign in as someone else</button>
      </form>`,
  })
}

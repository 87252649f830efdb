import { html, type Html } from '../../../platform/http/html.ts'
import { field, notice, page } from '../../../platform/http/layout.ts'
import { type Page, redirectTo, show } from '../../../platform/http/page.ts'
import { signedInBar } from '../bar.ts'
import { changePassword } from '../passwords.ts'
import { csrfField, type Session } from '../sessions.ts'
import { visitorOf } from '../visitor.ts'
import { ACCOUNT, mustWait, refused, waitText } from './answers.ts'
import type { PageParts } from './parts.ts'
import { addressField, newPasswordField } from './set-password.ts'

export function changePasswordPages(parts: PageParts): Page[] {
  const ask = parts.signedIn(async (_, session) => show(changePage(session)))

  const change = parts.signedIn(async (request, session) => {
    const { form } = request
    const typed = { current: form.get('current_password') ?? '', next: form.get('password') ?? '' }
    const outcome = await changePassword(parts, visitorOf(request), session, typed)
    if (outcome.ok) return redirectTo(`${ACCOUNT}?notice=password-changed`, { cookies: outcome.cookies })
    switch (outcome.why) {
      case 'wrong':
        return show(changePage(session, { current: 'This is not your current password.' }), refused)
      case 'refused':
        return show(changePage(session, { next: outcome.message }), refused)
      case 'wait':
        return show(
          changePage(session, { said: notice('error', waitText(outcome.waitSeconds)) }),
          mustWait(outcome.waitSeconds),
        )
    }
  })

  return [
    { method: 'GET', path: '/account/password', handle: ask },
    { method: 'POST', path: '/account/password', handle: change },
  ]
}

const changePage = (session: Session, wrong: { current?: string; next?: string; said?: Html } = {}) =>
  page({
    title: 'Change your password',
    bar: signedInBar(session),
    body: html`${wrong.said}
      <form method="post" action="/account/password">
        ${csrfField(session)} ${addressField(session.employee.email)}
        ${field({
          name: 'current_password',
          label: 'Current password',
          type: 'password',
          autocomplete: 'current-password',
          error: wrong.current,
        })}
        ${newPasswordField(wrong.next)}
        <button>Change password</button>
      </form>
      <p class="below soft">
        You are then signed out everywhere else. API keys and connected applications keep working.
      </p>
      <p><a href="${ACCOUNT}">Back to your account</a></p>`,
  })

import { html, type Html } from '../../../../platform/http/html.ts'
import { notice } from '../../../../platform/http/layout.ts'
import { type Page, redirectTo, show } from '../../../../platform/http/page.ts'
import type { ViewerPreferences } from '../../../../platform/http/viewer-preferences.ts'
import { changePassword } from '../../password/passwords.ts'
import { requestClientOf } from '../../session/request-client.ts'
import { csrfField, type Session } from '../../session/sessions.ts'
import { passwordTexts } from '../../texts/passwords.ts'
import { currentPasswordField } from '../fields.ts'
import type { SignInPageParts } from '../page-dependencies.ts'
import { ACCOUNT, tooManyAttempts, unprocessableForm, waitText } from '../page-replies.ts'
import { addressField, newPasswordField, passwordFaultText } from '../set-password.ts'
import { accountPage } from './account-page.ts'

export function changePasswordPages(parts: SignInPageParts): Page[] {
  const ask = parts.signedIn(async ({ reader }, session) => show(changePage(reader, session)))

  const change = parts.signedIn(async (request, session) => {
    const { form, reader } = request
    const typed = { current: form.get('current_password') ?? '', next: form.get('password') ?? '' }
    const outcome = await changePassword(parts, requestClientOf(request), session, typed)
    if (outcome.ok) return redirectTo(`${ACCOUNT}?notice=password-changed`, { cookies: outcome.cookies })
    switch (outcome.why) {
      case 'wrong':
        return show(
          changePage(reader, session, { current: passwordTexts[reader.language].wrongCurrent }),
          unprocessableForm,
        )
      case 'refused':
        return show(
          changePage(reader, session, { next: passwordFaultText(reader, outcome.fault) }),
          unprocessableForm,
        )
      case 'wait':
        return show(
          changePage(reader, session, { said: notice('error', waitText(reader, outcome.waitSeconds)) }),
          tooManyAttempts(outcome.waitSeconds),
        )
    }
  })

  return [
    { method: 'GET', path: '/account/password', handle: ask },
    { method: 'POST', path: '/account/password', handle: change },
  ]
}

interface Wrong {
  current?: string
  next?: string
  said?: Html
}

function changePage(reader: ViewerPreferences, session: Session, wrong: Wrong = {}): Html {
  const t = passwordTexts[reader.language]
  const body = html`${wrong.said}
    <form method="post" action="/account/password">
      ${csrfField(session)} ${addressField(reader, session.employee.email)}
      ${currentPasswordField({ name: 'current_password', label: t.current, error: wrong.current })}
      ${newPasswordField(reader, wrong.next)}
      <button>${t.change}</button>
    </form>
    <p class="below soft">${t.changeHint}</p>`
  return accountPage(reader, session, { place: 'password', title: t.changeTitle, body, card: true })
}

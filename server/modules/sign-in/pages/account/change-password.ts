import { html, type Html } from '../../../../platform/http/html.ts'
import { field, notice } from '../../../../platform/http/layout.ts'
import { type Page, redirectTo, show } from '../../../../platform/http/page.ts'
import type { Reader } from '../../../../platform/http/reader.ts'
import { changePassword } from '../../password/passwords.ts'
import { csrfField, type Session } from '../../session/sessions.ts'
import { visitorOf } from '../../session/visitor.ts'
import { passwordTexts } from '../../texts/passwords.ts'
import { ACCOUNT, mustWait, refused, waitText } from '../answers.ts'
import type { PageParts } from '../parts.ts'
import { addressField, faultText, newPasswordField } from '../set-password.ts'
import { accountPage } from './account-page.ts'

export function changePasswordPages(parts: PageParts): Page[] {
  const ask = parts.signedIn(async ({ reader }, session) => show(changePage(reader, session)))

  const change = parts.signedIn(async (request, session) => {
    const { form, reader } = request
    const typed = { current: form.get('current_password') ?? '', next: form.get('password') ?? '' }
    const outcome = await changePassword(parts, visitorOf(request), session, typed)
    if (outcome.ok) return redirectTo(`${ACCOUNT}?notice=password-changed`, { cookies: outcome.cookies })
    switch (outcome.why) {
      case 'wrong':
        return show(
          changePage(reader, session, { current: passwordTexts[reader.language].wrongCurrent }),
          refused,
        )
      case 'refused':
        return show(changePage(reader, session, { next: faultText(reader, outcome.fault) }), refused)
      case 'wait':
        return show(
          changePage(reader, session, { said: notice('error', waitText(reader, outcome.waitSeconds)) }),
          mustWait(outcome.waitSeconds),
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

function changePage(reader: Reader, session: Session, wrong: Wrong = {}): Html {
  const t = passwordTexts[reader.language]
  const body = html`${wrong.said}
    <form method="post" action="/account/password">
      ${csrfField(session)} ${addressField(reader, session.employee.email)}
      ${field({
        name: 'current_password',
        label: t.current,
        type: 'password',
        autocomplete: 'current-password',
        error: wrong.current,
      })}
      ${newPasswordField(reader, wrong.next)}
      <button>${t.change}</button>
    </form>
    <p class="below soft">${t.changeHint}</p>`
  return accountPage(reader, session, { place: 'password', title: t.changeTitle, body, card: true })
}

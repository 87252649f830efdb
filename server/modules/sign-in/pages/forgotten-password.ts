import { html, type Html } from '../../../platform/http/html.ts'
import { notice, page } from '../../../platform/http/layout.ts'
import { type Page, type PageReply, type PageRequest, show } from '../../../platform/http/page.ts'
import type { ViewerPreferences } from '../../../platform/http/viewer-preferences.ts'
import { requestPasswordReset } from '../password/password-resets.ts'
import { requestClientOf } from '../session/request-client.ts'
import { passwordTexts } from '../texts/passwords.ts'
import { emailField } from './fields.ts'
import type { SignInPageParts } from './page-dependencies.ts'
import { tooManyAttempts, waitText } from './page-replies.ts'

export function forgottenPasswordPages(parts: SignInPageParts): Page[] {
  async function send(request: PageRequest): Promise<PageReply> {
    const { form, reader } = request
    const email = form.get('email') ?? ''
    const admission = await requestPasswordReset(parts, requestClientOf(request), email)
    if (admission.ok) return show(sentPage(reader, email))
    const said = notice('error', waitText(reader, admission.waitSeconds))
    return show(askPage(reader, said, email), tooManyAttempts(admission.waitSeconds))
  }

  return [
    { method: 'GET', path: '/password-reset', handle: async ({ reader }) => show(askPage(reader)) },
    { method: 'POST', path: '/password-reset', handle: send },
  ]
}

function askPage(reader: ViewerPreferences, said?: Html, email?: string): Html {
  const t = passwordTexts[reader.language]
  return page(reader, {
    title: t.forgottenTitle,
    body: html`${said}
      <p>${t.forgotten}</p>
      <form method="post" action="/password-reset">
        ${emailField({ label: t.email, value: email, focus: true })}
        <button>${t.send}</button>
      </form>
      <p class="below"><a href="/sign-in">${t.toSignIn}</a></p>`,
  })
}

/** The same for an unknown address. */
function sentPage(reader: ViewerPreferences, email: string): Html {
  const t = passwordTexts[reader.language]
  return page(reader, {
    title: t.sentTitle,
    body: html`<p>${t.sent(email)}</p>
      <p class="soft">${t.sentHint}</p>
      <p class="below"><a href="/sign-in">${t.toSignIn}</a></p>`,
  })
}

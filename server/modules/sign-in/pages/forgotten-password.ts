import { html, type Html } from '../../../platform/http/html.ts'
import { field, notice, page } from '../../../platform/http/layout.ts'
import { type Page, type PageReply, type PageRequest, show } from '../../../platform/http/page.ts'
import type { Reader } from '../../../platform/http/reader.ts'
import { askForPasswordReset } from '../password/password-resets.ts'
import { visitorOf } from '../session/visitor.ts'
import { passwordTexts } from '../texts/passwords.ts'
import { mustWait, waitText } from './answers.ts'
import type { PageParts } from './parts.ts'

export function forgottenPasswordPages(parts: PageParts): Page[] {
  async function send(request: PageRequest): Promise<PageReply> {
    const { form, reader } = request
    const email = form.get('email') ?? ''
    const admission = await askForPasswordReset(parts, visitorOf(request), email)
    if (admission.ok) return show(sentPage(reader, email))
    const said = notice('error', waitText(reader, admission.waitSeconds))
    return show(askPage(reader, said, email), mustWait(admission.waitSeconds))
  }

  return [
    { method: 'GET', path: '/password-reset', handle: async ({ reader }) => show(askPage(reader)) },
    { method: 'POST', path: '/password-reset', handle: send },
  ]
}

function askPage(reader: Reader, said?: Html, email?: string): Html {
  const t = passwordTexts[reader.language]
  return page(reader, {
    title: t.forgottenTitle,
    body: html`${said}
      <p>${t.forgotten}</p>
      <form method="post" action="/password-reset">
        ${field({
          name: 'email',
          label: t.email,
          type: 'email',
          value: email,
          autocomplete: 'username',
          focus: true,
        })}
        <button>${t.send}</button>
      </form>
      <p class="below"><a href="/sign-in">${t.toSignIn}</a></p>`,
  })
}

/** The same for an unknown address. */
function sentPage(reader: Reader, email: string): Html {
  const t = passwordTexts[reader.language]
  return page(reader, {
    title: t.sentTitle,
    body: html`<p>${t.sent(email)}</p>
      <p class="soft">${t.sentHint}</p>
      <p class="below"><a href="/sign-in">${t.toSignIn}</a></p>`,
  })
}

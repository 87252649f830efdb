import { html, type Html } from '../../../platform/http/html.ts'
import { field, notice, page } from '../../../platform/http/layout.ts'
import { type Page, type PageReply, type PageRequest, show } from '../../../platform/http/page.ts'
import { askForPasswordReset } from '../password-resets.ts'
import { visitorOf } from '../visitor.ts'
import { mustWait, waitText } from './answers.ts'
import type { PageParts } from './parts.ts'

export function forgottenPasswordPages(parts: PageParts): Page[] {
  async function send(request: PageRequest): Promise<PageReply> {
    const email = request.form.get('email') ?? ''
    const admission = await askForPasswordReset(parts, visitorOf(request), email)
    if (admission.ok) return show(sentPage(email))
    const said = notice('error', waitText(admission.waitSeconds))
    return show(askPage(said, email), mustWait(admission.waitSeconds))
  }
  return [
    { method: 'GET', path: '/password-reset', handle: async () => show(askPage()) },
    { method: 'POST', path: '/password-reset', handle: send },
  ]
}

const askPage = (said?: Html, email?: string) =>
  page({
    title: 'Forgot your password?',
    body: html`${said}
      <p>We send a link to choose a new one to the address you sign in with.</p>
      <form method="post" action="/password-reset">
        ${field({
          name: 'email',
          label: 'E-mail address',
          type: 'email',
          value: email,
          autocomplete: 'username',
          focus: true,
        })}
        <button>Send the link</button>
      </form>
      <p class="below"><a href="/sign-in">Back to sign-in</a></p>`,
  })

/** The same for an address that nobody has. */
const sentPage = (email: string) =>
  page({
    title: 'Look at your mail',
    body: html`<p>If someone signs in with <strong>${email}</strong>, a link is on its way to them.</p>
      <p class="soft">It works for one hour. Nothing there? Look in the spam folder, or check the address.</p>
      <p class="below"><a href="/sign-in">Back to sign-in</a></p>`,
  })

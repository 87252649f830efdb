import { html, type Html } from '../../../../platform/http/html.ts'
import { notice, page } from '../../../../platform/http/layout.ts'
import {
  type Page,
  type PageReply,
  type PageRequest,
  redirectTo,
  show,
} from '../../../../platform/http/page.ts'
import type { ViewerPreferences } from '../../../../platform/http/viewer-preferences.ts'
import { type ChangeHolder } from '../../../employees/index.ts'
import {
  cancelByLink,
  confirmByLink,
  findCancellation,
  findConfirmation,
} from '../../password/email-changes.ts'
import { signInUrl } from '../../session/return-path.ts'
import { emailChangePageTexts } from '../../texts/email-change.ts'
import { currentPasswordField } from '../fields.ts'
import type { SignInPageParts } from '../page-dependencies.ts'
import { tooManyAttempts, unprocessableForm, waitText } from '../page-replies.ts'

const CONFIRM = '/email-confirmations/:token'
const CANCEL = '/email-cancellations/:token'

/** The targets of links in e-mails about a changed address. A GET changes nothing: mail programs open links too. */
export function emailChangePages(parts: SignInPageParts): Page[] {
  async function askToConfirm({ params, url, reader }: PageRequest): Promise<PageReply> {
    const holder = await findConfirmation(parts, params.token!)
    return holder ? show(confirmPage(reader, holder, url)) : deadLink(reader)
  }

  async function confirm({ params, form, url, reader }: PageRequest): Promise<PageReply> {
    const outcome = await confirmByLink(parts, params.token!, form.get('password') ?? '')
    if (outcome.ok) return redirectTo(`${signInUrl()}?notice=email-confirmed`)
    if (outcome.why === 'dead_link') return deadLink(reader)
    if (outcome.why === 'wrong') {
      const error = emailChangePageTexts[reader.language].wrongPassword
      return show(confirmPage(reader, outcome.holder, url, { error }), unprocessableForm)
    }
    const said = notice('error', waitText(reader, outcome.waitSeconds))
    return show(confirmPage(reader, outcome.holder, url, { said }), tooManyAttempts(outcome.waitSeconds))
  }

  async function askToCancel({ params, url, reader }: PageRequest): Promise<PageReply> {
    const holder = await findCancellation(parts, params.token!)
    return holder ? show(cancelPage(reader, holder, url)) : deadLink(reader)
  }

  async function cancel({ params, reader }: PageRequest): Promise<PageReply> {
    if (!(await cancelByLink(parts, params.token!))) return deadLink(reader)
    const t = emailChangePageTexts[reader.language]
    return show(page(reader, { title: t.cancelledTitle, body: notice('success', t.cancelled) }))
  }

  return [
    { method: 'GET', path: CONFIRM, handle: askToConfirm },
    { method: 'POST', path: CONFIRM, handle: confirm },
    { method: 'GET', path: CANCEL, handle: askToCancel },
    { method: 'POST', path: CANCEL, handle: cancel },
  ]
}

function confirmPage(
  reader: ViewerPreferences,
  { name, company_name, unconfirmed_email }: ChangeHolder,
  action: string,
  { said, error }: { said?: Html; error?: string } = {},
): Html {
  const t = emailChangePageTexts[reader.language]
  return page(reader, {
    title: t.confirmTitle,
    body: html`${said}
      <p>${t.confirm(name, company_name, unconfirmed_email)}</p>
      <form method="post" action="${action}">
        ${currentPasswordField({ label: t.password, focus: true, error })}
        <button>${t.confirmButton}</button>
      </form>
      <p class="below">${t.forgotten}</p>`,
  })
}

function cancelPage(
  reader: ViewerPreferences,
  { name, company_name, unconfirmed_email }: ChangeHolder,
  action: string,
): Html {
  const t = emailChangePageTexts[reader.language]
  return page(reader, {
    title: t.cancelTitle,
    body: html`<p>${t.cancel(name, company_name, unconfirmed_email)}</p>
      <form method="post" action="${action}"><button class="danger">${t.cancelButton}</button></form>`,
  })
}

function deadLink(reader: ViewerPreferences): PageReply {
  const t = emailChangePageTexts[reader.language]
  const body = html`${notice('info', t.dead)}
    <p>${t.deadHint}</p>`
  return show(page(reader, { title: t.deadTitle, body }), { status: 404 })
}

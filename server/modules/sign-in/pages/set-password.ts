import { html, type Html } from '../../../platform/http/html.ts'
import { field, notice, page } from '../../../platform/http/layout.ts'
import { type Page, type PageReply, type PageRequest, redirectTo, show } from '../../../platform/http/page.ts'
import type { ViewerPreferences } from '../../../platform/http/viewer-preferences.ts'
import { type LinkHolder, PASSWORD_CHARACTERS } from '../../employees/index.ts'
import { linkHolderOf, type LinkKind, type PasswordFault, setPasswordByLink } from '../password/passwords.ts'
import { requestClientOf } from '../session/request-client.ts'
import { signInUrl } from '../session/return-path.ts'
import { passwordTexts } from '../texts/passwords.ts'
import { emailField } from './fields.ts'
import type { SignInPageParts } from './page-dependencies.ts'
import { HOME, unprocessableForm } from './page-replies.ts'

const PATHS: Record<LinkKind, string> = { invitation: '/invitations', reset: '/password-resets' }

/** The targets of links in e-mails. A GET changes nothing, because mail programs open links too. */
export function setPasswordPages(parts: SignInPageParts): Page[] {
  const pagesOf = (kind: LinkKind): Page[] => {
    const path = `${PATHS[kind]}/:token`

    const ask = async ({ params, url, reader }: PageRequest): Promise<PageReply> => {
      const holder = await linkHolderOf(parts, kind, params.token!)
      return holder ? show(passwordPage(reader, kind, holder, url)) : deadLink(reader, kind)
    }

    const set = async (request: PageRequest): Promise<PageReply> => {
      const { params, form, url, reader } = request
      const link = { kind, token: params.token! }
      const outcome = await setPasswordByLink(
        parts,
        requestClientOf(request),
        link,
        form.get('password') ?? '',
      )
      if (outcome.ok) {
        const next = kind === 'invitation' ? HOME : `${signInUrl()}?notice=password-set`
        return redirectTo(next, { cookies: outcome.cookies })
      }
      const holder = outcome.why === 'refused' ? await linkHolderOf(parts, kind, link.token) : undefined
      if (outcome.why === 'dead_link' || !holder) return deadLink(reader, kind)
      return show(
        passwordPage(reader, kind, holder, url, passwordFaultText(reader, outcome.fault)),
        unprocessableForm,
      )
    }

    return [
      { method: 'GET', path, handle: ask },
      { method: 'POST', path, handle: set },
    ]
  }
  return [...pagesOf('invitation'), ...pagesOf('reset')]
}

function passwordPage(
  reader: ViewerPreferences,
  kind: LinkKind,
  holder: LinkHolder,
  action: string,
  error?: string,
): Html {
  const t = passwordTexts[reader.language]
  const invited = kind === 'invitation'
  return page(reader, {
    title: invited ? t.welcomeTitle : t.againTitle,
    body: html`<p>${invited ? t.welcome(holder.name, holder.company_name) : t.again(holder.name)}</p>
      <form method="post" action="${action}">
        ${addressField(reader, holder.email)} ${newPasswordField(reader, error)}
        <button>${invited ? t.start : t.set}</button>
      </form>`,
  })
}

/** Password managers store the password under it. */
export const addressField = ({ language }: ViewerPreferences, email: string) =>
  emailField({ label: passwordTexts[language].signsInAs, value: email, fixed: true })

export const newPasswordField = ({ language }: ViewerPreferences, error?: string) =>
  field({
    name: 'password',
    label: passwordTexts[language].next,
    type: 'password',
    hint: passwordTexts[language].nextHint(PASSWORD_CHARACTERS.min),
    autocomplete: 'new-password',
    error,
  })

export const passwordFaultText = ({ language }: ViewerPreferences, { is, characters }: PasswordFault) =>
  passwordTexts[language][is](characters)

function deadLink(reader: ViewerPreferences, kind: LinkKind): PageReply {
  const t = passwordTexts[reader.language]
  const body = html`${notice('info', t.dead)}
    <p>${kind === 'invitation' ? t.deadInvitation : t.deadReset}</p>`
  return show(page(reader, { title: t.deadTitle, body }), { status: 404 })
}

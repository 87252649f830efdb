import { html, type Html } from '../../../platform/http/html.ts'
import { field, notice, page } from '../../../platform/http/layout.ts'
import { type Page, type PageReply, type PageRequest, redirectTo, show } from '../../../platform/http/page.ts'
import type { LinkHolder } from '../account-queries.ts'
import { holderOf, type LinkKind, setPasswordByLink } from '../passwords.ts'
import { signInUrl } from '../return-path.ts'
import { visitorOf } from '../visitor.ts'
import { HOME, refused } from './answers.ts'
import type { PageParts } from './parts.ts'

const PATHS: Record<LinkKind, string> = { invitation: '/invitations', reset: '/password-resets' }

/** Where the links in letters lead: opening one changes nothing, for mail programs look at links too. */
export function setPasswordPages(parts: PageParts): Page[] {
  const pagesOf = (kind: LinkKind): Page[] => {
    const path = `${PATHS[kind]}/:token`

    const ask = async ({ params, url }: PageRequest): Promise<PageReply> => {
      const holder = await holderOf(parts, kind, params.token!)
      return holder ? show(passwordPage(kind, holder, url)) : deadLink(kind)
    }

    const set = async (request: PageRequest): Promise<PageReply> => {
      const { params, form, url } = request
      const link = { kind, token: params.token! }
      const outcome = await setPasswordByLink(parts, visitorOf(request), link, form.get('password') ?? '')
      if (outcome.ok) {
        const next = kind === 'invitation' ? HOME : `${signInUrl()}?notice=password-set`
        return redirectTo(next, { cookies: outcome.cookies })
      }
      const holder = outcome.why === 'refused' ? await holderOf(parts, kind, link.token) : undefined
      if (outcome.why === 'dead_link' || !holder) return deadLink(kind)
      return show(passwordPage(kind, holder, url, outcome.message), refused)
    }

    return [
      { method: 'GET', path, handle: ask },
      { method: 'POST', path, handle: set },
    ]
  }
  return [...pagesOf('invitation'), ...pagesOf('reset')]
}

function passwordPage(kind: LinkKind, holder: LinkHolder, action: string, error?: string): Html {
  const welcome = html`<p>
    Hello ${holder.name}, ${holder.company_name} uses Bellhop for its calls. Choose a password to start.
  </p>`
  const again = html`<p>Hello ${holder.name}, choose a new password. You are then signed out everywhere.</p>`
  return page({
    title: kind === 'invitation' ? 'Welcome' : 'Choose a new password',
    body: html`${kind === 'invitation' ? welcome : again}
      <form method="post" action="${action}">
        ${addressField(holder.email)} ${newPasswordField(error)}
        <button>${kind === 'invitation' ? 'Set password and start' : 'Set password'}</button>
      </form>`,
  })
}

/** Password managers keep the password under it. */
export const addressField = (email: string) =>
  field({
    name: 'email',
    label: 'You sign in as',
    type: 'email',
    value: email,
    autocomplete: 'username',
    fixed: true,
  })

export const newPasswordField = (error?: string) =>
  field({
    name: 'password',
    label: 'New password',
    type: 'password',
    hint: 'At least 12 characters. Three or four random words are easy to remember and hard to guess.',
    autocomplete: 'new-password',
    error,
  })

const deadLink = (kind: LinkKind) =>
  show(
    page({
      title: 'This link no longer works',
      body: html`${notice('info', 'It was used already, is too old, or a newer one was sent.')}
        <p>
          ${kind === 'invitation' ? 'If you have set a password already, ' : 'If you know your password, '}
          <a href="/sign-in">sign in</a>. Otherwise <a href="/password-reset">ask for a new link</a>.
        </p>`,
    }),
    { status: 404 },
  )

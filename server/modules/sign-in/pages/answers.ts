import { html } from '../../../platform/http/html.ts'
import { page } from '../../../platform/http/layout.ts'
import { type PageReply, redirectTo, show } from '../../../platform/http/page.ts'

/** The dashboard. */
export const HOME = '/'

export const ACCOUNT = '/account'

/**
 * On to where the person wanted to go. An application that asked for access may be sent its answer right away, and
 * browsers hold such a redirect to the form's page, which allows none to other sites: so that way leads over a page
 * that goes on by itself.
 */
export function goOn(returnTo: string | undefined, cookies: string[] = []): PageReply {
  if (!returnTo?.startsWith('/oauth/')) return redirectTo(returnTo ?? HOME, { cookies })
  const body = html`<p><a href="${returnTo}">Continue to the application</a></p>`
  return show(page({ title: 'You are signed in', body, refreshTo: returnTo }), { cookies })
}

export const waitText = (seconds: number) =>
  `There were too many attempts. Try again in ${seconds < 90 ? counted(seconds, 'second') : counted(Math.ceil(seconds / 60), 'minute')}.`

/** The form again, with what is wrong with it. */
export const refused = { status: 422 }

export const mustWait = (seconds: number) => ({ status: 429, headers: { 'retry-after': String(seconds) } })

export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

import { html } from '../../../platform/http/html.ts'
import { page } from '../../../platform/http/layout.ts'
import { type PageReply, redirectTo, show } from '../../../platform/http/page.ts'
import type { Reader } from '../../../platform/http/reader.ts'
import { signingInTexts } from '../texts/signing-in.ts'

/** The dashboard. */
export const HOME = '/'

export const ACCOUNT = '/account'

/**
 * On to where the person wanted to go. An application that asked for access may be sent its answer right away, and
 * browsers hold such a redirect to the form's page, which allows none to other sites: so that way leads over a page
 * that goes on by itself.
 */
export function goOn(reader: Reader, returnTo: string | undefined, cookies: string[] = []): PageReply {
  if (!returnTo?.startsWith('/oauth/')) return redirectTo(returnTo ?? HOME, { cookies })
  const t = signingInTexts[reader.language]
  const body = html`<p><a href="${returnTo}">${t.continue}</a></p>`
  return show(page(reader, { title: t.isSignedIn, body, refreshTo: returnTo }), { cookies })
}

export function waitText({ language }: Reader, seconds: number): string {
  const t = signingInTexts[language]
  return seconds < 90 ? t.waitSeconds(seconds) : t.waitMinutes(Math.ceil(seconds / 60))
}

/** The form again, with what is wrong with it. */
export const refused = { status: 422 }

export const mustWait = (seconds: number) => ({ status: 429, headers: { 'retry-after': String(seconds) } })

import { html } from '../../../platform/http/html.ts'
import { page } from '../../../platform/http/layout.ts'
import { type PageReply, redirectTo, show } from '../../../platform/http/page.ts'
import type { ViewerPreferences } from '../../../platform/http/viewer-preferences.ts'
import { signingInTexts } from '../texts/signing-in.ts'

/** The dashboard. */
export const HOME = '/'

export const ACCOUNT = '/account'

/**
 * Redirects to the page that was requested. An application that requested access may get its response at once, and
 * browsers apply the form's policy to that redirect, which allows no other sites: so the way leads through a page
 * that redirects by itself.
 */
export function redirectAfterSignIn(
  reader: ViewerPreferences,
  returnTo: string | undefined,
  cookies: string[] = [],
): PageReply {
  if (!returnTo?.startsWith('/oauth/')) return redirectTo(returnTo ?? HOME, { cookies })
  const t = signingInTexts[reader.language]
  const body = html`<p><a href="${returnTo}">${t.continue}</a></p>`
  return show(page(reader, { title: t.isSignedIn, body, refreshTo: returnTo }), { cookies })
}

export function waitText({ language }: ViewerPreferences, seconds: number): string {
  const t = signingInTexts[language]
  return seconds < 90 ? t.waitSeconds(seconds) : t.waitMinutes(Math.ceil(seconds / 60))
}

/** The form again, with its errors. */
export const unprocessableForm = { status: 422 }

export const tooManyAttempts = (seconds: number) => ({
  status: 429,
  headers: { 'retry-after': String(seconds) },
})

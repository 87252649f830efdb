import { html, type Html } from '../../../platform/http/html.ts'
import { page } from '../../../platform/http/layout.ts'
import type { ViewerPreferences } from '../../../platform/http/viewer-preferences.ts'
import { csrfField, type Session, signedInHeader } from '../../sign-in/index.ts'
import type { AuthorizationRequest } from '../authorize/authorization.ts'
import { describeDestination } from '../authorize/redirect-uris.ts'
import type { OAuthError } from '../errors.ts'
import { consentTexts } from './page-texts.ts'

/** Asks the employee for consent. */
export function consentPage(
  reader: ViewerPreferences,
  { client, redirectUri }: AuthorizationRequest,
  session: Session,
  url: string,
): Html {
  const t = consentTexts[reader.language]
  const { employee, company } = session
  const { host, onThisDevice } = describeDestination(redirectUri)
  const body = html`<p>
      <bdi><strong>${client.name}</strong></bdi> ${t.asks}
    </p>
    <p class="notice"><bdi>${employee.name}</bdi> (${employee.email})<br /><bdi>${company.name}</bdi></p>
    <p>${t.mayDo}</p>
    <ul>
      ${t.may.map((item) => html`<li>${item}</li>`)}
    </ul>
    <p>
      ${onThisDevice ? html`${t.sentToProgram} (<strong>${host}</strong>)${t.onlyIfStarted}.` : html`${t.sentTo} <strong>${host}</strong>.`}
      ${provenance(reader, client)}
    </p>
    <form method="post" action="${url}">
      ${csrfField(session)}
      <div class="actions">
        <button class="quiet" name="decision" value="deny">${t.deny}</button>
        <button name="decision" value="allow">${t.allow}</button>
      </div>
    </form>`
  return page(reader, { title: t.title, body, bar: signedInHeader(reader, session) })
}

/** Applications choose their own names, so the redirect host matters more. */
function provenance(
  { language }: ViewerPreferences,
  { first_party, metadata_url }: AuthorizationRequest['client'],
): string {
  const t = consentTexts[language]
  if (first_party) return ''
  return metadata_url ? t.describesItself(new URL(metadata_url).host) : t.unchecked
}

/** Shown in place of a redirect while the redirect URI is not validated. The description is for developers. */
export function refusalPage(reader: ViewerPreferences, { code, description }: OAuthError): Html {
  const t = consentTexts[reader.language]
  return page(reader, {
    title: t.refusedTitle,
    body: html`<p lang="en">${description}</p>
      <p class="soft">${t.startAgain} <code>${code}</code></p>`,
  })
}

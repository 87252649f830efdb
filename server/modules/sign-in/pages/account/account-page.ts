import { html, type Html } from '../../../../platform/http/html.ts'
import { page } from '../../../../platform/http/layout.ts'
import type { ViewerPreferences } from '../../../../platform/http/viewer-preferences.ts'
import type { Session } from '../../session/sessions.ts'
import { accountTexts } from '../../texts/account.ts'
import { signedInHeader } from '../page-header.ts'

/** The pages of the account, by the keys of their texts. */
const ACCOUNT_SECTIONS = {
  overview: '/account',
  phones: '/account/phones',
  apiKeys: '/account/api-keys',
  connectedApps: '/account/connected-apps',
  twoFactor: '/account/two-factor',
  password: '/account/password',
}
type AccountSection = keyof typeof ACCOUNT_SECTIONS

interface AccountPage {
  place: AccountSection
  title: string
  body: Html
  /** A page with only a form is shown as a card. */
  card?: boolean
}

/** A page under /account, with links to the others and to the dashboard. */
export const accountPage = (
  reader: ViewerPreferences,
  session: Session,
  { place, title, body, card = false }: AccountPage,
): Html =>
  page(reader, {
    title,
    body,
    wide: !card,
    bar: signedInHeader(reader, session),
    side: places(reader, place),
  })

function places({ language }: ViewerPreferences, here: AccountSection): Html {
  const t = accountTexts[language]
  return html`<nav class="places" aria-label="${t.title}">
    <ul>
      <li><a href="/">← ${t.dashboard}</a></li>
      ${(Object.keys(ACCOUNT_SECTIONS) as AccountSection[]).map(
        (place) =>
          html`<li>
            <a href="${ACCOUNT_SECTIONS[place]}" ${place === here && html`aria-current="page"`}
              >${t.places[place]}</a
            >
          </li>`,
      )}
    </ul>
  </nav>`
}

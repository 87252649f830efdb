import { html, type Html } from '../../../../platform/http/html.ts'
import { page } from '../../../../platform/http/layout.ts'
import type { Reader } from '../../../../platform/http/reader.ts'
import type { Session } from '../../session/sessions.ts'
import { accountTexts } from '../../texts/account.ts'
import { signedInBar } from '../bar.ts'

/** The pages of the account, by the keys of their texts. */
const PLACES = {
  overview: '/account',
  phones: '/account/phones',
  apiKeys: '/account/api-keys',
  connectedApps: '/account/connected-apps',
  twoFactor: '/account/two-factor',
  password: '/account/password',
}
type Place = keyof typeof PLACES

interface AccountPage {
  place: Place
  title: string
  body: Html
  /** A page with only a form is shown as a card. */
  card?: boolean
}

/** A page under /account, with links to the others and to the dashboard. */
export const accountPage = (
  reader: Reader,
  session: Session,
  { place, title, body, card = false }: AccountPage,
): Html =>
  page(reader, { title, body, wide: !card, bar: signedInBar(reader, session), side: places(reader, place) })

function places({ language }: Reader, here: Place): Html {
  const t = accountTexts[language]
  return html`<nav class="places" aria-label="${t.title}">
    <ul>
      <li><a href="/">← ${t.dashboard}</a></li>
      ${(Object.keys(PLACES) as Place[]).map(
        (place) =>
          html`<li>
            <a href="${PLACES[place]}" ${place === here && html`aria-current="page"`}>${t.places[place]}</a>
          </li>`,
      )}
    </ul>
  </nav>`
}

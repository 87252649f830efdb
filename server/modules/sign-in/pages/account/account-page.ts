import { html, type Html } from '../../../../platform/http/html.ts'
import { page } from '../../../../platform/http/layout.ts'
import type { Reader } from '../../../../platform/http/reader.ts'
import type { Session } from '../../session/sessions.ts'
import { accountTexts } from '../../texts/account.ts'
import { signedInBar } from '../bar.ts'

/** What is the employee's own, by the names that the texts have for it. */
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
  /** A form alone stands in a card. */
  card?: boolean
}

/** A page under /account, with the way to the others and back to the dashboard. */
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

import { html, type Html } from '../../../../platform/http/html.ts'
import { field, page } from '../../../../platform/http/layout.ts'
import type { ViewerPreferences } from '../../../../platform/http/viewer-preferences.ts'
import { csrfField, type Session } from '../../session/sessions.ts'
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

interface NameForm {
  action: string
  heading: string
  label: string
  button: string
  /** What was submitted, and what is wrong with it. */
  name?: string
  error?: string
}

/** For a list of named things: adds one. */
export const nameForm = (session: Session, { action, heading, label, button, name, error }: NameForm) =>
  html`<section class="section">
    <h2>${heading}</h2>
    <form class="inline" method="post" action="${action}">
      ${csrfField(session)}
      ${field({ name: 'name', label, value: name, autocomplete: 'off', maxLength: 128, error })}
      <button>${button}</button>
    </form>
  </section>`

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

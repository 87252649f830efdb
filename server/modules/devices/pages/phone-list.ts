import { html, type Html } from '../../../platform/http/html.ts'
import { table, unseen } from '../../../platform/http/layout.ts'
import { timeAgo } from '../../../platform/http/time-ago.ts'
import type { ViewerPreferences } from '../../../platform/http/viewer-preferences.ts'
import { encodeId } from '../../../platform/ids.ts'
import { csrfField, describeBrowser, type Session } from '../../sign-in/index.ts'
import type { DeviceRow } from '../queries.ts'
import { DeviceEncryption } from '../schemas.ts'
import { phoneTexts } from './page-texts.ts'

export const PATH = '/account/phones'

/** All phones of an employee, whatever created them, each with a way to remove it. */
export function phoneList(reader: ViewerPreferences, session: Session, phones: DeviceRow[], now: Date): Html {
  const t = phoneTexts[reader.language]
  const headings = [t.name, t.username, t.connected, t.encryption, unseen(t.remove)]
  const rows = phones.map((phone) => phoneRow(reader, session, phone, now))
  const listed = html`${table(headings, rows)}
    <p class="soft">${t.endHint}</p>`
  return html`<section class="section">
    <h2>${t.yours}</h2>
    ${phones.length === 0 ? html`<p class="soft">${t.none}</p>` : listed}
  </section>`
}

function phoneRow(reader: ViewerPreferences, session: Session, phone: DeviceRow, now: Date): Html {
  const t = phoneTexts[reader.language]
  const { username } = phone
  return html`<tr>
    <td>${nameOf(reader, session, phone, now)}</td>
    <td data-label="${t.username}">${username !== null && html`<code>${username}</code>`}</td>
    <td data-label="${t.connected}">${connectionOf(reader, phone, now)}</td>
    <td data-label="${t.encryption}">${encryptionOf(reader, session, phone, now)}</td>
    <td>${wayToEnd(reader, session, phone)}</td>
  </tr>`
}

/** The name people know: the one they gave it, the browser, or what created it. */
function nameOf(
  { language }: ViewerPreferences,
  session: Session,
  phone: DeviceRow,
  now: Date,
): string | Html {
  const t = phoneTexts[language]
  if (phone.signed_in_at) {
    const browser = describeBrowser(phone.user_agent ?? '', language)
    const own = phone.session_id === session.sessionId ? ` ${t.thisOne}` : ''
    return html`${browser}${own}, ${t.signedIn} ${timeAgo(phone.signed_in_at, now, language)}`
  }
  if (phone.api_key_name !== null) return t.apiKey(phone.api_key_name)
  if (phone.application_name !== null) return t.application(phone.application_name)
  return phone.kind === 'browser' ? t.browser : phone.name
}

/** To end the phone of their own browser, employees sign out. */
function wayToEnd({ language }: ViewerPreferences, session: Session, phone: DeviceRow): Html | false {
  const t = phoneTexts[language]
  if (phone.session_id === session.sessionId) return false
  const isBrowser = phone.session_id !== null
  const label = isBrowser ? t.signOut : t.remove
  const name = phone.api_key_name ?? phone.application_name ?? phone.name
  return html`<form
    method="post"
    action="${PATH}/${encodeId('dev', phone.id)}/${isBrowser ? 'sign-out' : 'remove'}"
  >
    ${csrfField(session)}<button
      class="danger small"
      aria-label="${isBrowser ? t.signOutBrowser : t.removePhone(name)}"
    >
      ${label}
    </button>
  </form>`
}

/** Browsers always encrypt. */
function encryptionOf(
  { language }: ViewerPreferences,
  session: Session,
  { id, name, kind, encryption, encryption_refused_at: refusedAt }: DeviceRow,
  now: Date,
): string | Html {
  const t = phoneTexts[language]
  if (kind === 'browser') return t.alwaysEncrypted
  const options = DeviceEncryption.options.map(
    (each) =>
      html`<option value="${each}" ${each === encryption && 'selected'}>${t.encryptionModes[each]}</option>`,
  )
  return html`<form method="post" action="${PATH}/${encodeId('dev', id)}/encryption">
      ${csrfField(session)}<select name="encryption" aria-label="${t.encryptionOf(name)}">
        ${options}
      </select>
      <button class="small">${t.save}</button>
    </form>
    ${refusedAt && html`<p class="soft">${t.encryptionRefused} ${timeAgo(refusedAt, now, language)}</p>`}`
}

function connectionOf({ language }: ViewerPreferences, phone: DeviceRow, now: Date): string | Html {
  const t = phoneTexts[language]
  if (phone.is_registered) return t.now
  return phone.last_registered_at ? timeAgo(phone.last_registered_at, now, language) : t.never
}

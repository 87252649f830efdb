import type { Clock } from '../../platform/clock.ts'
import type { Vault } from '../../platform/crypto.ts'
import type { Database } from '../../platform/db/database.ts'
import { html, type Html } from '../../platform/http/html.ts'
import { askedNotice, field, notice } from '../../platform/http/layout.ts'
import { type Page, redirectTo, show } from '../../platform/http/page.ts'
import type { Reader } from '../../platform/http/reader.ts'
import { timeAgo } from '../../platform/http/time-ago.ts'
import { decodeId, encodeId } from '../../platform/ids.ts'
import { accountPage, csrfField, type Guard, type Session } from '../sign-in/index.ts'
import { createDevice, type DeviceCredentials, DeviceCreate, removeOwnDevice } from './devices.ts'
import { phoneTexts } from './page-texts.ts'
import { type DeviceRow, selectPhonesOf } from './queries.ts'

const PATH = '/account/phones'

/** More than anyone has on a desk. */
const PHONES_PER_EMPLOYEE = 20

interface PhonePageParts {
  db: Database
  clock: Clock
  vault: Vault
  /** Where phones register. */
  domain(): Promise<string>
  signedIn: Guard
}

/** Where employees connect their own phones. */
export function devicePages({ db, clock, vault, domain, signedIn }: PhonePageParts): Page[] {
  const phonesPage = async (reader: Reader, session: Session, above: Above = {}) => {
    const t = phoneTexts[reader.language]
    const phones = await selectPhonesOf(db.sql, session.employee.id)
    const body = html`${above.said}
      <p class="soft">${t.lead}</p>
      ${addForm(reader, session, above)} ${phoneList(reader, session, phones, clock.now())}`
    return accountPage(reader, session, { place: 'phones', title: t.title, body })
  }

  const list = signedIn(async ({ query, reader }, session) => {
    const said = askedNotice(phoneTexts[reader.language].notices, query)
    return show(await phonesPage(reader, session, { said }))
  })

  const add = signedIn(async ({ form, reader }, session) => {
    const t = phoneTexts[reader.language]
    const typed = form.get('name') ?? ''
    const refuse = async (error: string) =>
      show(await phonesPage(reader, session, { error, name: typed }), { status: 422 })
    const input = DeviceCreate.safeParse({ name: typed })
    if (!input.success) return refuse(typed.trim() === '' ? t.blankName : t.unusableName)
    if ((await selectPhonesOf(db.sql, session.employee.id)).length >= PHONES_PER_EMPLOYEE)
      return refuse(t.tooMany(PHONES_PER_EMPLOYEE))
    const made = await db.tx((tx) => createDevice(tx, vault, session.employee.id, input.data))
    const said = newPhone(reader, input.data.name, made, await domain())
    return show(await phonesPage(reader, session, { said }), { status: 201 })
  })

  const remove = signedIn(async ({ params }, { company, employee }) => {
    const actor = { companyId: company.id, employeeId: employee.id }
    await db.tx((tx) => removeOwnDevice(tx, actor, decodeId('dev', params.id!)))
    return redirectTo(`${PATH}?notice=removed`)
  })

  return [
    { method: 'GET', path: PATH, handle: list },
    { method: 'POST', path: PATH, handle: add },
    { method: 'POST', path: `${PATH}/:id/remove`, handle: remove },
  ]
}

interface Above {
  said?: Html
  /** What is wrong with the name that was entered. */
  error?: string
  name?: string
}

/** The only time that the password is shown. */
function newPhone(
  { language }: Reader,
  name: string,
  { username, password }: DeviceCredentials,
  domain: string,
): Html {
  const t = phoneTexts[language]
  return html`<section class="section" aria-label="${t.newPhone}">
    ${notice('success', t.added(name))}
    <p>${t.enter}</p>
    <dl>
      <dt>${t.username}</dt>
      <dd><code id="phone-username">${username}</code></dd>
      <dt>${t.password}</dt>
      <dd><code class="secret" id="phone-password">${password}</code></dd>
      <dt>${t.domain}</dt>
      <dd><code id="phone-domain">${domain}</code></dd>
    </dl>
  </section>`
}

function addForm({ language }: Reader, session: Session, { error, name }: Above): Html {
  const t = phoneTexts[language]
  return html`<section class="section">
    <h2>${t.add}</h2>
    <form class="inline" method="post" action="${PATH}">
      ${csrfField(session)}
      ${field({
        name: 'name',
        label: t.calledName,
        value: name,
        autocomplete: 'off',
        maxLength: 128,
        error,
      })}
      <button>${t.addButton}</button>
    </form>
  </section>`
}

function phoneList(reader: Reader, session: Session, phones: DeviceRow[], now: Date): Html {
  const t = phoneTexts[reader.language]
  const table = html`<table>
    <thead>
      <tr>
        <th>${t.name}</th>
        <th>${t.username}</th>
        <th>${t.connected}</th>
        <th><span class="unseen">${t.remove}</span></th>
      </tr>
    </thead>
    <tbody>
      ${phones.map((phone) => phoneRow(reader, session, phone, now))}
    </tbody>
  </table>`
  return html`<section class="section">
    <h2>${t.yours}</h2>
    ${phones.length === 0 ? html`<p class="soft">${t.none}</p>` : table}
  </section>`
}

function phoneRow(reader: Reader, session: Session, phone: DeviceRow, now: Date): Html {
  const t = phoneTexts[reader.language]
  return html`<tr>
    <td>${phone.name}</td>
    <td data-label="${t.username}"><code>${phone.username}</code></td>
    <td data-label="${t.connected}">${connectionOf(reader, phone, now)}</td>
    <td>
      <form method="post" action="${PATH}/${encodeId('dev', phone.id)}/remove">
        ${csrfField(session)}<button class="danger small" aria-label="${t.removePhone(phone.name)}">
          ${t.remove}
        </button>
      </form>
    </td>
  </tr>`
}

function connectionOf({ language }: Reader, phone: DeviceRow, now: Date): string | Html {
  const t = phoneTexts[language]
  if (phone.is_registered) return t.now
  return phone.last_registered_at ? timeAgo(phone.last_registered_at, now, language) : t.never
}

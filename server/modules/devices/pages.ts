import type { Clock } from '../../platform/clock.ts'
import type { Vault } from '../../platform/crypto.ts'
import type { Database } from '../../platform/db/database.ts'
import { fieldErrors } from '../../platform/errors.ts'
import { html, type Html } from '../../platform/http/html.ts'
import { field, notice, page } from '../../platform/http/layout.ts'
import { type Page, redirectTo, show } from '../../platform/http/page.ts'
import { timeAgo } from '../../platform/http/time-ago.ts'
import { decodeId, encodeId } from '../../platform/ids.ts'
import { csrfField, type Guard, type Session, signedInBar } from '../sign-in/index.ts'
import { createDevice, type DeviceCredentials, DeviceCreate, removeOwnDevice } from './devices.ts'
import { type DeviceRow, selectPhonesOf } from './queries.ts'

const PATH = '/account/phones'

/** More than anyone has on a desk. */
const PHONES_PER_EMPLOYEE = 20

const NOTICES: Record<string, string> = {
  removed: 'The phone is removed: it can take and place calls no more.',
}

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
  const phonesPage = async (session: Session, above: Above = {}) => {
    const phones = await selectPhonesOf(db.sql, session.employee.id)
    const body = html`${above.said}
      <p class="soft">Desk phones and apps that speak SIP ring when you are called, and call out as you.</p>
      ${addForm(session, above)} ${phoneList(session, phones, clock.now())}
      <p><a href="/account">Back to your account</a></p>`
    return page({ title: 'Phones', wide: true, bar: signedInBar(session), body })
  }

  const list = signedIn(async ({ query }, session) => {
    const said = NOTICES[query.get('notice') ?? '']
    return show(await phonesPage(session, said ? { said: notice('success', said) } : {}))
  })

  const add = signedIn(async ({ form }, session) => {
    const typed = form.get('name') ?? ''
    const refuse = async (error: string) =>
      show(await phonesPage(session, { error, name: typed }), { status: 422 })
    const input = DeviceCreate.safeParse({ name: typed })
    if (!input.success) return refuse(`The name ${fieldErrors(input.error).name?.join(' and ')}.`)
    if ((await selectPhonesOf(db.sql, session.employee.id)).length >= PHONES_PER_EMPLOYEE)
      return refuse(`You have ${PHONES_PER_EMPLOYEE} phones, which is the most. Remove one first.`)
    const made = await db.tx((tx) => createDevice(tx, vault, session.employee.id, input.data))
    const said = newPhone(input.data.name, made, await domain())
    return show(await phonesPage(session, { said }), { status: 201 })
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
const newPhone = (name: string, { username, password }: DeviceCredentials, domain: string) =>
  html`<section class="section" aria-label="Your new phone">
    ${notice('success', `“${name}” can be connected now.`)}
    <p>Enter this in the phone. The password is not shown again.</p>
    <table>
      <tbody>
        <tr>
          <td>User name</td>
          <td><code id="phone-username">${username}</code></td>
        </tr>
        <tr>
          <td>Password</td>
          <td><code class="secret" id="phone-password">${password}</code></td>
        </tr>
        <tr>
          <td>Domain or server</td>
          <td><code id="phone-domain">${domain}</code></td>
        </tr>
      </tbody>
    </table>
  </section>`

const addForm = (session: Session, { error, name }: Above) =>
  html`<section class="section">
    <h2>Add a phone</h2>
    <form class="inline" method="post" action="${PATH}">
      ${csrfField(session)}
      ${field({
        name: 'name',
        label: 'What you call it',
        value: name,
        autocomplete: 'off',
        maxLength: 128,
        error,
      })}
      <button>Add phone</button>
    </form>
  </section>`

const phoneList = (session: Session, phones: DeviceRow[], now: Date) =>
  html`<section class="section">
    <h2>Your phones</h2>
    ${
      phones.length === 0
        ? html`<p class="soft">You have none yet.</p>`
        : html`<table>
            <thead>
              <tr>
                <th>Name</th>
                <th>User name</th>
                <th>Connected</th>
                <th><span class="unseen">Remove</span></th>
              </tr>
            </thead>
            <tbody>
              ${phones.map((phone) => phoneRow(session, phone, now))}
            </tbody>
          </table>`
    }
  </section>`

const phoneRow = (session: Session, phone: DeviceRow, now: Date) =>
  html`<tr>
    <td>${phone.name}</td>
    <td data-label="User name"><code>${phone.username}</code></td>
    <td data-label="Connected">${connectionOf(phone, now)}</td>
    <td>
      <form method="post" action="${PATH}/${encodeId('dev', phone.id)}/remove">
        ${csrfField(session)}<button class="danger small" aria-label="Remove ${phone.name}">Remove</button>
      </form>
    </td>
  </tr>`

function connectionOf({ is_registered, last_registered_at }: DeviceRow, now: Date): string | Html {
  if (is_registered) return 'now'
  return last_registered_at ? timeAgo(last_registered_at, now) : 'never'
}

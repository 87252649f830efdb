import type { Dependencies } from '../../platform/dependencies.ts'
import { fail, notFound } from '../../platform/errors.ts'
import { html, type Html } from '../../platform/http/html.ts'
import { askedNotice, notice } from '../../platform/http/layout.ts'
import { type Page, redirectTo, show } from '../../platform/http/page.ts'
import type { ViewerPreferences } from '../../platform/http/viewer-preferences.ts'
import { decodeId } from '../../platform/ids.ts'
import { accountPage, endSession, type Guard, nameForm, type Session } from '../sign-in/index.ts'
import { createDevice, type DeviceCredentials, DeviceCreate, removeOwnDevice } from './devices.ts'
import { phoneTexts } from './page-texts.ts'
import { PATH, phoneList } from './phone-list.ts'
import { countPhones, selectDevicesOf, selectSessionOf } from './queries.ts'

/** More than anyone needs. */
const PHONES_PER_EMPLOYEE = 20

interface PhonePageParts extends Dependencies<'db' | 'clock' | 'vault'> {
  /** The SIP domain at which phones register. */
  domain(): Promise<string>
  signedIn: Guard
}

/** The page on which employees connect their own phones. */
export function devicePages({ db, clock, vault, domain, signedIn }: PhonePageParts): Page[] {
  const phonesPage = async (reader: ViewerPreferences, session: Session, above: Above = {}) => {
    const t = phoneTexts[reader.language]
    const phones = await selectDevicesOf(db.sql, session.employee.id)
    const body = html`${above.said}
      <p class="soft">${t.lead}</p>
      ${nameForm(session, { action: PATH, heading: t.add, label: t.calledName, button: t.addButton, ...above.typed })}
      ${phoneList(reader, session, phones, clock.now())}`
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
      show(await phonesPage(reader, session, { typed: { name: typed, error } }), { status: 422 })
    const input = DeviceCreate.safeParse({ name: typed })
    if (!input.success) return refuse(typed.trim() === '' ? t.blankName : t.unusableName)
    if ((await countPhones(db.sql, session.employee.id)) >= PHONES_PER_EMPLOYEE)
      return refuse(t.tooMany(PHONES_PER_EMPLOYEE))
    const made = await db.tx((tx) => createDevice(tx, vault, session.employee.id, input.data))
    const said = newPhone(reader, input.data.name, made, await domain())
    return show(await phonesPage(reader, session, { said }), { status: 201 })
  })

  const remove = signedIn(async ({ params }, { actor }) => {
    await db.tx((tx) => removeOwnDevice(tx, actor, decodeId('dev', params.id!)))
    return redirectTo(`${PATH}?notice=removed`)
  })

  /** If only its device were removed, the browser would create another at once. */
  const signOut = signedIn(async ({ params }, { actor }) => {
    const id = decodeId('dev', params.id!) ?? fail(notFound())
    const sessionId = (await selectSessionOf(db.sql, actor, id)) ?? fail(notFound())
    await db.tx((tx) => endSession(tx, actor, sessionId))
    return redirectTo(`${PATH}?notice=signed-out`)
  })

  return [
    { method: 'GET', path: PATH, handle: list },
    { method: 'POST', path: PATH, handle: add },
    { method: 'POST', path: `${PATH}/:id/remove`, handle: remove },
    { method: 'POST', path: `${PATH}/:id/sign-out`, handle: signOut },
  ]
}

interface Above {
  said?: Html
  /** The submitted name, and what is wrong with it. */
  typed?: { name: string; error: string }
}

/** The only time that the password is shown. */
function newPhone(
  { language }: ViewerPreferences,
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

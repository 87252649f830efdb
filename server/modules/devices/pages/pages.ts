import type { Dependencies } from '../../../platform/dependencies.ts'
import { fail, notFound } from '../../../platform/errors.ts'
import { html, type Html } from '../../../platform/http/html.ts'
import { askedNotice, notice } from '../../../platform/http/layout.ts'
import { type Page, redirectTo, show } from '../../../platform/http/page.ts'
import type { ViewerPreferences } from '../../../platform/http/viewer-preferences.ts'
import { decodeId } from '../../../platform/ids.ts'
import { qrCode } from '../../../platform/text/qr-code.ts'
import { accountPage, endSession, type Guard, nameForm, type Session } from '../../sign-in/index.ts'
import { createDevice, type DeviceCredentials, DeviceCreate, removeOwnDevice } from '../devices.ts'
import { setOwnEncryption } from '../encryption.ts'
import { FORMATS } from '../provisioning/formats.ts'
import { createProvisioningLink } from '../provisioning/links.ts'
import { PROVISIONING_PATH } from '../provisioning/pages.ts'
import { countPhones, selectDevicesOf, selectSessionOf } from '../queries.ts'
import { DeviceEncryption } from '../schemas.ts'
import { phoneTexts } from './page-texts.ts'
import { PATH, phoneList } from './phone-list.ts'

/** More than anyone needs. */
const PHONES_PER_EMPLOYEE = 20

interface PhonePageParts extends Dependencies<'db' | 'clock' | 'vault'> {
  /** The SIP domain at which phones register. */
  domain(): Promise<string>
  signedIn: Guard
  /** Our base URL, as a browser with this Host header sees it. */
  baseUrl(host: string | undefined): string
}

/** The page on which employees connect their own phones. */
export function devicePages({ db, clock, vault, domain, signedIn, baseUrl }: PhonePageParts): Page[] {
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

  const add = signedIn(async ({ form, reader, headers }, session) => {
    const t = phoneTexts[reader.language]
    const typed = form.get('name') ?? ''
    const refuse = async (error: string) =>
      show(await phonesPage(reader, session, { typed: { name: typed, error } }), { status: 422 })
    const input = DeviceCreate.safeParse({ name: typed })
    if (!input.success) return refuse(typed.trim() === '' ? t.blankName : t.unusableName)
    if ((await countPhones(db.sql, session.employee.id)) >= PHONES_PER_EMPLOYEE)
      return refuse(t.tooMany(PHONES_PER_EMPLOYEE))
    const { made, token } = await db.tx(async (tx) => {
      const made = await createDevice(tx, vault, session.employee.id, input.data)
      return { made, token: await createProvisioningLink(tx, made.id, clock.now()) }
    })
    const link = `${baseUrl(headers.host)}${PROVISIONING_PATH}/${token}`
    const said = newPhone(reader, input.data.name, made, { domain: await domain(), link })
    return show(await phonesPage(reader, session, { said }), { status: 201 })
  })

  const remove = signedIn(async ({ params }, { actor }) => {
    await db.tx((tx) => removeOwnDevice(tx, actor, decodeId('dev', params.id!)))
    return redirectTo(`${PATH}?notice=removed`)
  })

  const encrypt = signedIn(async ({ params, form, reader }, session) => {
    const input = DeviceEncryption.safeParse(form.get('encryption'))
    // Nobody can choose this in the form.
    if (!input.success) return show(await phonesPage(reader, session), { status: 422 })
    const id = decodeId('dev', params.id!)
    await db.tx((tx) => setOwnEncryption(tx, session.actor, id, { encryption: input.data }))
    return redirectTo(`${PATH}?notice=encryption`)
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
    { method: 'POST', path: `${PATH}/:id/encryption`, handle: encrypt },
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
  { domain, link }: { domain: string; link: string },
): Html {
  const t = phoneTexts[language]
  return html`<section class="section" aria-label="${t.newPhone}">
    ${notice('success', t.added(name))}
    <h3>${t.scanHeading}</h3>
    <p>${t.scan}</p>
    ${qrCode(`${link}/linphone`, { label: t.qrCode })}
    <h3>${t.fetchHeading}</h3>
    <p>${t.fetch}</p>
    <dl>
      ${Object.entries(FORMATS).map(
        ([format, { name: vendor }]) =>
          html`<dt>${vendor}</dt>
            <dd><code class="secret" id="phone-link-${format}">${link}/${format}</code></dd>`,
      )}
    </dl>
    <p class="soft">${t.onceOnly}</p>
    <h3>${t.enterHeading}</h3>
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

import { html, type Html } from '../../../../platform/http/html.ts'
import { notice } from '../../../../platform/http/layout.ts'
import { type Page, redirectTo, show } from '../../../../platform/http/page.ts'
import type { ViewerPreferences } from '../../../../platform/http/viewer-preferences.ts'
import type { CodeOutcome } from '../../second-factor/second-factor.ts'
import { countRecoveryCodes } from '../../second-factor/two-factor-queries.ts'
import { disableTwoFactor, renewRecoveryCodes } from '../../second-factor/two-factor.ts'
import { csrfField, type Session } from '../../session/sessions.ts'
import { twoFactorTexts } from '../../texts/two-factor.ts'
import { codeField } from '../fields.ts'
import type { SignInPageParts } from '../page-dependencies.ts'
import { tooManyAttempts, unprocessableForm, waitText } from '../page-replies.ts'
import { accountPage } from './account-page.ts'
import { recoveryCodesPage } from './recovery-codes.ts'

const PATH = '/account/two-factor'

export function twoFactorPages(parts: SignInPageParts): Page[] {
  const { db, signedIn } = parts

  const settingsPage = async (reader: ViewerPreferences, session: Session, wrong?: string) => {
    const { company, employee, hasTwoFactor } = session
    const left = hasTwoFactor ? await countRecoveryCodes(db.sql, company.id, employee.id) : 0
    const body = html`${wrong !== undefined && notice('error', wrong)}
    ${hasTwoFactor ? switchedOn(reader, session, left) : switchedOff(reader)}`
    const { title } = twoFactorTexts[reader.language]
    return accountPage(reader, session, { place: 'twoFactor', title, body })
  }

  const refuse = async (
    reader: ViewerPreferences,
    session: Session,
    outcome: CodeOutcome<unknown> & { ok: false },
  ) =>
    outcome.why === 'wrong'
      ? show(
          await settingsPage(reader, session, twoFactorTexts[reader.language].wrongCode),
          unprocessableForm,
        )
      : show(
          await settingsPage(reader, session, waitText(reader, outcome.waitSeconds)),
          tooManyAttempts(outcome.waitSeconds),
        )

  const settings = signedIn(async ({ reader }, session) => show(await settingsPage(reader, session)))

  const renew = signedIn(async ({ form, reader }, session) => {
    const outcome = await renewRecoveryCodes(parts, session, form.get('code') ?? '')
    return outcome.ok
      ? show(recoveryCodesPage(reader, session, outcome.value, PATH))
      : refuse(reader, session, outcome)
  })

  const off = signedIn(async ({ form, reader }, session) => {
    if (session.requiresTwoFactor) {
      const wrong = twoFactorTexts[reader.language].keepsOn(session.company.name)
      return show(await settingsPage(reader, session, wrong), unprocessableForm)
    }
    const outcome = await disableTwoFactor(parts, session, form.get('code') ?? '')
    return outcome.ok ? redirectTo(PATH) : refuse(reader, session, outcome)
  })

  return [
    { method: 'GET', path: PATH, handle: settings },
    { method: 'POST', path: `${PATH}/recovery-codes`, handle: renew },
    { method: 'POST', path: `${PATH}/off`, handle: off },
  ]
}

function switchedOff({ language }: ViewerPreferences): Html {
  const t = twoFactorTexts[language]
  return html`<section class="section">
    <h2>${t.off}</h2>
    <p>${t.offHint}</p>
    <p><a class="button" href="${PATH}/setup">${t.setUp}</a></p>
  </section>`
}

function switchedOn(reader: ViewerPreferences, session: Session, left: number): Html {
  const t = twoFactorTexts[reader.language]
  const off = html`<section class="section">
    <h2>${t.switchOff}</h2>
    <p>${t.switchOffHint}</p>
    ${codeForm(reader, session, { action: `${PATH}/off`, id: 'off', button: t.switchOffButton, danger: true })}
  </section>`
  return html`<section class="section">
      <h2>${t.on}</h2>
      <p>${t.onHint}</p>
    </section>
    <section class="section">
      <h2>${t.recoveryCodes}</h2>
      <p>${t.left(left)} ${t.renewHint}</p>
      ${codeForm(reader, session, { action: `${PATH}/recovery-codes`, id: 'renew', button: t.renew })}
    </section>
    ${session.requiresTwoFactor ? html`<p class="soft">${t.keepsOn(session.company.name)}</p>` : off}`
}

interface CodeForm {
  action: string
  id: string
  button: string
  danger?: boolean
}

const codeForm = (
  { language }: ViewerPreferences,
  session: Session,
  { action, id, button, danger = false }: CodeForm,
) =>
  html`<form class="inline" method="post" action="${action}">
    ${csrfField(session)}
    ${codeField({ id: `${id}-code`, label: twoFactorTexts[language].code, maxLength: 40 })}
    <button class="${danger ? 'danger' : 'quiet'}">${button}</button>
  </form>`

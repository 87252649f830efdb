import { html, type Html } from '../../../platform/http/html.ts'
import { field, notice, page } from '../../../platform/http/layout.ts'
import { type Page, redirectTo, show } from '../../../platform/http/page.ts'
import { signedInBar } from '../bar.ts'
import type { CodeOutcome } from '../second-factor.ts'
import { csrfField, type Session } from '../sessions.ts'
import { countRecoveryCodes } from '../two-factor-queries.ts'
import { renewRecoveryCodes, switchOff } from '../two-factor.ts'
import { ACCOUNT, counted, mustWait, refused, waitText } from './answers.ts'
import { WRONG_CODE } from './code.ts'
import type { PageParts } from './parts.ts'
import { recoveryCodesPage } from './recovery-codes.ts'

const PATH = '/account/two-factor'

export function twoFactorPages(parts: PageParts): Page[] {
  const { db, signedIn } = parts

  const settingsPage = async (session: Session, said?: Html) => {
    const { company, employee, hasTwoFactor } = session
    const left = hasTwoFactor ? await countRecoveryCodes(db.sql, company.id, employee.id) : 0
    const body = html`${said} ${hasTwoFactor ? switchedOn(session, left) : switchedOff()}
      <p><a href="${ACCOUNT}">Back to your account</a></p>`
    return page({ title: 'Two-factor sign-in', wide: true, bar: signedInBar(session), body })
  }

  const refuse = async (session: Session, outcome: CodeOutcome<unknown> & { ok: false }) =>
    outcome.why === 'wrong'
      ? show(await settingsPage(session, notice('error', WRONG_CODE)), refused)
      : show(
          await settingsPage(session, notice('error', waitText(outcome.waitSeconds))),
          mustWait(outcome.waitSeconds),
        )

  const settings = signedIn(async (_, session) => show(await settingsPage(session)))

  const renew = signedIn(async ({ form }, session) => {
    const outcome = await renewRecoveryCodes(parts, session, form.get('code') ?? '')
    return outcome.ok ? show(recoveryCodesPage(session, outcome.value, PATH)) : refuse(session, outcome)
  })

  const off = signedIn(async ({ form }, session) => {
    if (session.requiresTwoFactor) {
      const said = notice('error', `${session.company.name} asks everyone to keep it on.`)
      return show(await settingsPage(session, said), refused)
    }
    const outcome = await switchOff(parts, session, form.get('code') ?? '')
    return outcome.ok ? redirectTo(PATH) : refuse(session, outcome)
  })

  return [
    { method: 'GET', path: PATH, handle: settings },
    { method: 'POST', path: `${PATH}/recovery-codes`, handle: renew },
    { method: 'POST', path: `${PATH}/off`, handle: off },
  ]
}

const switchedOff = () =>
  html`<section class="section">
    <h2>It is off</h2>
    <p>
      With two-factor on, signing in takes your password and a code from an app on your phone. A stolen
      password alone then opens nothing.
    </p>
    <p><a class="button" href="${PATH}/setup">Set it up</a></p>
  </section>`

const switchedOn = (session: Session, left: number) =>
  html`<section class="section">
      <h2>It is on</h2>
      <p>Signing in takes your password and a code from your authenticator app.</p>
    </section>
    <section class="section">
      <h2>Recovery codes</h2>
      <p>
        ${left === 0 ? 'You have none left.' : `You have ${counted(left, 'recovery code')} left.`} New ones
        replace those you have.
      </p>
      ${codeForm(session, { action: `${PATH}/recovery-codes`, id: 'renew', button: 'Make new ones' })}
    </section>
    ${
      session.requiresTwoFactor
        ? html`<p class="soft">${session.company.name} asks everyone to keep two-factor on.</p>`
        : html`<section class="section">
            <h2>Switch it off</h2>
            <p>Your password alone will then open your account.</p>
            ${codeForm(session, { action: `${PATH}/off`, id: 'off', button: 'Switch off', danger: true })}
          </section>`
    }`

interface CodeForm {
  action: string
  id: string
  button: string
  danger?: boolean
}

const codeForm = (session: Session, { action, id, button, danger = false }: CodeForm) =>
  html`<form class="inline" method="post" action="${action}">
    ${csrfField(session)}
    ${field({
      name: 'code',
      id: `${id}-code`,
      label: 'Code from your app, or a recovery code',
      autocomplete: 'one-time-code',
      maxLength: 40,
    })}
    <button class="${danger ? 'danger' : 'quiet'}">${button}</button>
  </form>`

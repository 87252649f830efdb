import { html, type Html } from '../../../../platform/http/html.ts'
import { notice, page } from '../../../../platform/http/layout.ts'
import {
  type Page,
  type PageReply,
  type PageRequest,
  redirectTo,
  show,
} from '../../../../platform/http/page.ts'
import type { ViewerPreferences } from '../../../../platform/http/viewer-preferences.ts'
import { qrCode } from '../../../../platform/text/qr-code.ts'
import { totpUri } from '../../second-factor/totp.ts'
import { enableTwoFactor, setupSecret } from '../../second-factor/two-factor.ts'
import { requireCsrfToken } from '../../session/guard.ts'
import { returnPath, signInUrl } from '../../session/return-path.ts'
import { csrfField, type Session } from '../../session/sessions.ts'
import { twoFactorTexts } from '../../texts/two-factor.ts'
import { codeField } from '../fields.ts'
import type { SignInPageParts } from '../page-dependencies.ts'
import { signedInHeader } from '../page-header.ts'
import { HOME, unprocessableForm } from '../page-replies.ts'
import { recoveryCodesPage } from './recovery-codes.ts'

const PATH = '/account/two-factor/setup'

/** Also for employees whose company requires it, before they may do anything else. */
export function twoFactorSetupPages(parts: SignInPageParts): Page[] {
  const settingUp =
    (handle: (request: PageRequest, session: Session) => Promise<PageReply>): Page['handle'] =>
    async (request) => {
      const found = await parts.sessions.anySessionOf(request.headers.cookie)
      if (!found || found.lacks === 'code') return redirectTo(signInUrl(PATH))
      if (found.session.hasTwoFactor) return redirectTo('/account/two-factor')
      requireCsrfToken(request, found.session)
      return handle(request, found.session)
    }

  const ask = settingUp(async ({ query, reader }, session) => {
    const secret = await setupSecret(parts, session)
    return show(setupPage(reader, session, { secret, returnTo: returnPath(query.get('return_to')) }))
  })

  const prove = settingUp(async ({ form, reader }, session) => {
    const returnTo = returnPath(form.get('return_to'))
    const codes = await enableTwoFactor(parts, session, form.get('code') ?? '')
    if (codes) return show(recoveryCodesPage(reader, session, codes, returnTo ?? HOME))
    const secret = await setupSecret(parts, session)
    const error = twoFactorTexts[reader.language].wrongShownCode
    return show(setupPage(reader, session, { secret, returnTo, error }), unprocessableForm)
  })

  return [
    { method: 'GET', path: PATH, handle: ask },
    { method: 'POST', path: PATH, handle: prove },
  ]
}

interface Setup {
  secret: string
  returnTo?: string
  error?: string
}

function setupPage(reader: ViewerPreferences, session: Session, { secret, returnTo, error }: Setup): Html {
  const t = twoFactorTexts[reader.language]
  const { employee, company, requiresTwoFactor } = session
  const uri = totpUri(secret, employee.email)
  return page(reader, {
    title: t.setupTitle,
    bar: signedInHeader(reader, session),
    body: html`${requiresTwoFactor && notice('info', t.demanded(company.name))}
      <p>${t.scan}</p>
      ${qrCode(uri, { label: t.qrCode })}
      <details>
        <summary>${t.cannotScan}</summary>
        <p>${t.onThisDevice} <a href="${uri}">${t.openThere}</a>. ${t.byHand}</p>
        <p><span class="secret">${secret.replace(/.{4}(?!$)/g, '$& ')}</span></p>
      </details>
      <form class="below" method="post" action="${PATH}">
        ${csrfField(session)}
        ${returnTo !== undefined && html`<input type="hidden" name="return_to" value="${returnTo}" />`}
        ${codeField({ label: t.shownCode, numeric: true, maxLength: 10, error })}
        <button>${t.switchOn}</button>
      </form>`,
  })
}

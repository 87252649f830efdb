import { html, type Html } from '../../../platform/http/html.ts'
import { field, notice, page } from '../../../platform/http/layout.ts'
import { type Page, type PageReply, type PageRequest, redirectTo, show } from '../../../platform/http/page.ts'
import { qrCode } from '../../../platform/qr-code/index.ts'
import { signedInBar } from '../bar.ts'
import { requireCsrfToken } from '../guard.ts'
import { returnPath, signInUrl } from '../return-path.ts'
import { csrfField, type Session } from '../sessions.ts'
import { totpUri } from '../totp.ts'
import { setupSecret, switchOn } from '../two-factor.ts'
import { HOME, refused } from './answers.ts'
import type { PageParts } from './parts.ts'
import { recoveryCodesPage } from './recovery-codes.ts'

const PATH = '/account/two-factor/setup'

/** Also for those whose company asks for it, before they may do anything else. */
export function twoFactorSetupPages(parts: PageParts): Page[] {
  const settingUp =
    (handle: (request: PageRequest, session: Session) => Promise<PageReply>): Page['handle'] =>
    async (request) => {
      const found = await parts.sessions.anySessionOf(request.headers.cookie)
      if (!found || found.lacks === 'code') return redirectTo(signInUrl(PATH))
      if (found.session.hasTwoFactor) return redirectTo('/account/two-factor')
      requireCsrfToken(request, found.session)
      return handle(request, found.session)
    }

  const ask = settingUp(async ({ query }, session) => {
    const secret = await setupSecret(parts, session)
    return show(setupPage(session, { secret, returnTo: returnPath(query.get('return_to')) }))
  })

  const prove = settingUp(async ({ form }, session) => {
    const returnTo = returnPath(form.get('return_to'))
    const codes = await switchOn(parts, session, form.get('code') ?? '')
    if (codes) return show(recoveryCodesPage(session, codes, returnTo ?? HOME))
    const secret = await setupSecret(parts, session)
    const error = 'That code is not right. Enter the one the app shows now.'
    return show(setupPage(session, { secret, returnTo, error }), refused)
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

function setupPage(session: Session, { secret, returnTo, error }: Setup): Html {
  const { employee, company, requiresTwoFactor } = session
  const uri = totpUri(secret, employee.email)
  const demanded = `${company.name} asks everyone to sign in with a second factor. Set it up to go on.`
  return page({
    title: 'Set up two-factor sign-in',
    bar: signedInBar(session),
    body: html`${requiresTwoFactor && notice('info', demanded)}
      <p>Scan this with an authenticator app on your phone.</p>
      ${qrCode(uri, { label: 'QR code for your authenticator app' })}
      <details>
        <summary>I cannot scan it</summary>
        <p>The app is on this device? <a href="${uri}">Open it there</a>. Or enter this key by hand:</p>
        <p><span class="secret">${secret.replace(/.{4}(?!$)/g, '$& ')}</span></p>
      </details>
      <form class="below" method="post" action="${PATH}">
        ${csrfField(session)}
        ${returnTo !== undefined && html`<input type="hidden" name="return_to" value="${returnTo}" />`}
        ${field({
          name: 'code',
          label: 'Code that the app shows',
          autocomplete: 'one-time-code',
          numeric: true,
          maxLength: 10,
          error,
        })}
        <button>Switch it on</button>
      </form>`,
  })
}

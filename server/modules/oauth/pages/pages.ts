import type { Dependencies } from '../../../platform/dependencies.ts'
import { type Page, type PageReply, type PageRequest, show } from '../../../platform/http/page.ts'
import type { ViewerPreferences } from '../../../platform/http/viewer-preferences.ts'
import { networkOf } from '../../../platform/net/client-network.ts'
import type { SignIn } from '../../sign-in/index.ts'
import { type AuthorizationRequest, checkAuthorization, ReturnedError } from '../authorize/authorization.ts'
import { issueAuthorizationCode } from '../authorize/consent.ts'
import type { ClientFinder } from '../clients/client-metadata.ts'
import { OAuthError } from '../errors.ts'
import { consentPage, refusalPage } from './consent-page.ts'

interface PageParts extends Dependencies<'db' | 'clock'> {
  signIn: SignIn
  issuer(host: string | undefined): string
  clients: Pick<ClientFinder, 'find'>
}

/** The authorization endpoint, to which an application redirects the browser. */
export function oauthPages({ db, clock, signIn, issuer, clients }: PageParts): Page[] {
  const check = ({ query, headers, address }: PageRequest) =>
    checkAuthorization({ parameters: query, issuer: issuer(headers.host) }, (clientId) =>
      clients.find(clientId, networkOf(address)),
    )

  const ask = (asked: AuthorizationRequest) =>
    signIn.signedIn(async ({ url, reader }, session) =>
      show(consentPage(reader, asked, session, url), { formTargets: [formTargetOf(asked.redirectUri)] }),
    )

  const decide = (asked: AuthorizationRequest) =>
    signIn.signedIn(async ({ form }, { actor }) => {
      if (form.get('decision') !== 'allow') return sendBack(asked.backWith(DENIED))
      return sendBack(
        asked.backWith({ code: await db.tx((tx) => issueAuthorizationCode(tx, clock, actor, asked)) }),
      )
    })

  /** The request is validated before the sign-in, and again before the decision. */
  const checked =
    (next: (asked: AuthorizationRequest) => Page['handle']): Page['handle'] =>
    async (request) => {
      try {
        return await next(await check(request))(request)
      } catch (error) {
        return refuse(request.reader, error)
      }
    }

  return [
    { method: 'GET', path: '/oauth/authorize', handle: checked(ask) },
    { method: 'POST', path: '/oauth/authorize', handle: checked(decide) },
  ]
}

const DENIED = { error: 'access_denied', error_description: 'The user did not agree.' }

function refuse(reader: ViewerPreferences, error: unknown): PageReply {
  if (error instanceof ReturnedError) return sendBack(error.location)
  if (!(error instanceof OAuthError)) throw error
  // Without the return link, which would repeat the unvalidated URI.
  return show(refusalPage({ ...reader, at: undefined }, error), {
    status: error.status,
    headers: error.headers,
  })
}

const sendBack = (location: string): PageReply => ({
  status: 302,
  headers: { location },
  cookies: [],
  formTargets: [],
})

/** Browsers apply form-action to the redirect after a form too, and it cannot name IPv6 addresses. */
function formTargetOf(redirectUri: string): string {
  const { protocol, origin, hostname } = new URL(redirectUri)
  return protocol === 'https:' || (protocol === 'http:' && !hostname.startsWith('[')) ? origin : protocol
}

import { html, type Html } from '../../platform/http/html.ts'
import { page } from '../../platform/http/layout.ts'
import { csrfField, type Session, signedInBar } from '../sign-in/index.ts'
import type { AuthorizationRequest } from './authorization.ts'
import type { OAuthError } from './errors.ts'
import { describeDestination } from './redirect-uris.ts'

const MAY = [
  'Read calls, recordings, transcripts, voicemails and texts',
  'Read and change contacts, colleagues and text snippets',
  'Read and change business numbers and where their calls go',
  'Send texts, transfer your calls and set do-not-disturb',
  'Be told of new calls and texts by webhooks',
]

/** Asks the employee whether the application may act for them. */
export function consentPage(
  { client, redirectUri }: AuthorizationRequest,
  session: Session,
  url: string,
): Html {
  const { employee, company } = session
  const { host, onThisDevice } = describeDestination(redirectUri)
  const body = html`<p><strong>${client.name}</strong> asks to use Bellhop as you:</p>
    <p class="notice">${employee.name} (${employee.email})<br />${company.name}</p>
    <p>It may do all that you can do through the API:</p>
    <ul>
      ${MAY.map((item) => html`<li>${item}</li>`)}
    </ul>
    <p>
      ${onThisDevice ? 'You will be sent to a program on this device' : 'You will be sent to'}
      (<strong>${host}</strong>)${onThisDevice && '. Allow it only if you have just started it'}.
      ${provenance(client)}
    </p>
    <form method="post" action="${url}">
      ${csrfField(session)}
      <div class="actions">
        <button class="quiet" name="decision" value="deny">Deny</button>
        <button name="decision" value="allow">Allow</button>
      </div>
    </form>`
  return page({ title: 'Allow access?', body, bar: signedInBar(session) })
}

/** Names are free to choose: people should go by where they are sent. */
function provenance({ first_party, metadata_url }: AuthorizationRequest['client']): string {
  if (first_party) return ''
  if (metadata_url) return `The application describes itself at ${new URL(metadata_url).host}.`
  return 'The application chose its name itself; Bellhop has not checked it.'
}

/** Shown in place of a redirect as long as it is not proven where to. */
export const refusalPage = ({ code, description }: OAuthError): Html =>
  page({
    title: 'This application cannot be let in',
    body: html`<p>${description}</p>
      <p class="soft">
        Go back to the application and start again. If this page returns, tell its makers:
        <code>${code}</code>
      </p>`,
  })

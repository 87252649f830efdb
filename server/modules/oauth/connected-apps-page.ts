import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { fail, notFound } from '../../platform/errors.ts'
import { html } from '../../platform/http/html.ts'
import { notice, page } from '../../platform/http/layout.ts'
import { type Page, redirectTo, show } from '../../platform/http/page.ts'
import { timeAgo } from '../../platform/http/time-ago.ts'
import { decodeId, encodeId } from '../../platform/ids.ts'
import { csrfField, type Guard, type Session, signedInBar } from '../sign-in/index.ts'
import { type ConnectedApp, deleteGrantsToClient, selectConnectedApps } from './connected-apps-queries.ts'
import { describeDestination } from './redirect-uris.ts'

const PATH = '/account/connected-apps'

const NOTICES: Record<string, string> = { ended: 'The application can no longer act for you.' }

interface AppPageParts {
  db: Database
  clock: Clock
  signedIn: Guard
}

const actorOf = ({ company, employee }: Session) => ({ companyId: company.id, employeeId: employee.id })

/** Where employees see whom they have let act for them, and end it. */
export function connectedAppPages({ db, clock, signedIn }: AppPageParts): Page[] {
  const list = signedIn(async ({ query }, session) => {
    const apps = await selectConnectedApps(db.sql, actorOf(session))
    const said = NOTICES[query.get('notice') ?? '']
    const body = html`${said && notice('success', said)}
      <p class="soft">These applications use Bellhop as you, for ${session.company.name}.</p>
      ${appList(session, apps, clock.now())}
      <p><a href="/account">Back to your account</a></p>`
    return show(page({ title: 'Connected apps', wide: true, bar: signedInBar(session), body }))
  })

  const end = signedIn(async ({ params }, session) => {
    const clientId = decodeId('cli', params.id!) ?? fail(notFound())
    await db.tx((tx) => deleteGrantsToClient(tx, actorOf(session), clientId))
    return redirectTo(`${PATH}?notice=ended`)
  })

  return [
    { method: 'GET', path: PATH, handle: list },
    { method: 'POST', path: `${PATH}/:id/end`, handle: end },
  ]
}

const appList = (session: Session, apps: ConnectedApp[], now: Date) =>
  apps.length === 0
    ? html`<p>You have not let any application act for you.</p>`
    : html`<table>
        <thead>
          <tr>
            <th>Application</th>
            <th>Host</th>
            <th>Since</th>
            <th>Last used</th>
            <th><span class="unseen">End access</span></th>
          </tr>
        </thead>
        <tbody>
          ${apps.map((app) => appRow(session, app, now))}
        </tbody>
      </table>`

const appRow = (session: Session, app: ConnectedApp, now: Date) =>
  html`<tr>
    <td>${app.name}</td>
    <td data-label="Host">${hostsOf(app)}</td>
    <td data-label="Since">${timeAgo(app.since, now)}</td>
    <td data-label="Last used">${app.last_used_at ? timeAgo(app.last_used_at, now) : 'never'}</td>
    <td>
      <form method="post" action="${PATH}/${encodeId('cli', app.client_id)}/end">
        ${csrfField(session)}<button class="danger small" aria-label="End access of ${app.name}">
          End access
        </button>
      </form>
    </td>
  </tr>`

/** Where it may send people: what tells it from another that chose the same name. */
function hostsOf({ redirect_uris, metadata_url }: ConnectedApp): string {
  const hosts = redirect_uris.map((uri) => describeDestination(uri).host)
  return [...new Set(metadata_url ? [new URL(metadata_url).host, ...hosts] : hosts)].join(', ')
}

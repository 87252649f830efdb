import type { Dependencies } from '../../../platform/dependencies.ts'
import { fail, notFound } from '../../../platform/errors.ts'
import { html, type Html } from '../../../platform/http/html.ts'
import { askedNotice, table, unseen } from '../../../platform/http/layout.ts'
import { type Page, redirectTo, show } from '../../../platform/http/page.ts'
import { timeAgo } from '../../../platform/http/time-ago.ts'
import type { ViewerPreferences } from '../../../platform/http/viewer-preferences.ts'
import { decodeId, encodeId } from '../../../platform/ids.ts'
import { endAccess } from '../../queue/index.ts'
import { accountPage, csrfField, type Guard, type Session } from '../../sign-in/index.ts'
import { describeDestination } from '../authorize/redirect-uris.ts'
import { type ConnectedApp, deleteGrantsToClient, selectConnectedApps } from './connected-apps-queries.ts'
import { connectedAppTexts } from './page-texts.ts'

const PATH = '/account/connected-apps'

interface AppPageParts extends Dependencies<'db' | 'clock'> {
  signedIn: Guard
}

/** The page on which employees see and end the access of applications. */
export function connectedAppPages({ db, clock, signedIn }: AppPageParts): Page[] {
  const list = signedIn(async ({ query, reader }, session) => {
    const t = connectedAppTexts[reader.language]
    const apps = await selectConnectedApps(db.sql, session.actor)
    const body = html`${askedNotice(t.notices, query)}
      <p class="soft">${t.lead(session.company.name)}</p>
      <section class="section">${appList(reader, session, apps, clock.now())}</section>`
    return show(accountPage(reader, session, { place: 'connectedApps', title: t.title, body }))
  })

  const end = signedIn(async ({ params }, { actor }) => {
    const clientId = decodeId('cli', params.id!) ?? fail(notFound())
    await db.tx((tx) => endAccess(tx, actor, (queue) => deleteGrantsToClient(queue, actor, clientId)))
    return redirectTo(`${PATH}?notice=ended`)
  })

  return [
    { method: 'GET', path: PATH, handle: list },
    { method: 'POST', path: `${PATH}/:id/end`, handle: end },
  ]
}

function appList(reader: ViewerPreferences, session: Session, apps: ConnectedApp[], now: Date): Html {
  const t = connectedAppTexts[reader.language]
  if (apps.length === 0) return html`<p>${t.none}</p>`
  const headings = [t.application, t.host, t.since, t.lastUsed, unseen(t.end)]
  const rows = apps.map((app) => appRow(reader, session, app, now))
  return table(headings, rows)
}

function appRow({ language }: ViewerPreferences, session: Session, app: ConnectedApp, now: Date): Html {
  const t = connectedAppTexts[language]
  return html`<tr>
    <td>${app.name}</td>
    <td data-label="${t.host}">${hostsOf(app)}</td>
    <td data-label="${t.since}">${timeAgo(app.since, now, language)}</td>
    <td data-label="${t.lastUsed}">
      ${app.last_used_at ? timeAgo(app.last_used_at, now, language) : t.never}
    </td>
    <td>
      <form method="post" action="${PATH}/${encodeId('cli', app.client_id)}/end">
        ${csrfField(session)}<button class="danger small" aria-label="${t.endOf(app.name)}">${t.end}</button>
      </form>
    </td>
  </tr>`
}

/** Its redirect hosts, which distinguish it from another application with the same name. */
function hostsOf({ redirect_uris, metadata_url }: ConnectedApp): string {
  const hosts = redirect_uris.map((uri) => describeDestination(uri).host)
  return [...new Set(metadata_url ? [new URL(metadata_url).host, ...hosts] : hosts)].join(', ')
}

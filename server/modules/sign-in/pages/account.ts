import { html } from '../../../platform/http/html.ts'
import { notice, page } from '../../../platform/http/layout.ts'
import { type Page, redirectTo, show } from '../../../platform/http/page.ts'
import { timeAgo } from '../../../platform/http/time-ago.ts'
import { signedInBar } from '../bar.ts'
import { LIMITS } from '../limits.ts'
import { deleteOtherSessions, selectSessionsOf } from '../queries.ts'
import { csrfField, type Session } from '../sessions.ts'
import { describeBrowser } from '../user-agent.ts'
import { ACCOUNT, counted } from './answers.ts'
import type { PageParts } from './parts.ts'

const NOTICES: Record<string, string> = {
  'password-changed': 'Your password is changed, and you are signed out everywhere else.',
  'others-ended': 'You are signed out everywhere else.',
}

/** Where people find what is theirs. */
export function accountPages({ db, clock, signedIn }: PageParts): Page[] {
  const home = signedIn(async ({ query }, session) => {
    const now = clock.now()
    const sessions = await selectSessionsOf(db.sql, session.company.id, session.employee.id, {
      createdAfter: new Date(now.getTime() - LIMITS.sessionMs),
      seenAfter: new Date(now.getTime() - LIMITS.sessionIdleMs),
    })
    const said = NOTICES[query.get('notice') ?? '']
    const body = html`${said && notice('success', said)} ${tiles(session)}
    ${sessionList(session, sessions, now)}`
    return show(page({ title: 'Your account', wide: true, bar: signedInBar(session), body }))
  })

  const endOthers = signedIn(async (_, { company, employee, sessionId }) => {
    await db.tx((tx) => deleteOtherSessions(tx, company.id, employee.id, sessionId))
    return redirectTo(`${ACCOUNT}?notice=others-ended`)
  })

  return [
    { method: 'GET', path: ACCOUNT, handle: home },
    { method: 'POST', path: '/account/other-sessions/end', handle: endOthers },
  ]
}

const tiles = ({ employee, hasTwoFactor }: Session) =>
  html`<p class="soft">You sign in as ${employee.email}.</p>
    <a class="tile" href="/account/phones">
      <span><strong>Phones</strong><span class="soft">Connect your desk phone or an app</span></span>
    </a>
    <a class="tile" href="/account/api-keys">
      <span><strong>API keys</strong><span class="soft">Let your own programs use the API as you</span></span>
    </a>
    <a class="tile" href="/account/connected-apps">
      <span
        ><strong>Connected apps</strong
        ><span class="soft">See which applications act for you, and end it</span></span
      >
    </a>
    <a class="tile" href="/account/two-factor">
      <span
        ><strong>Two-factor sign-in</strong
        ><span class="soft"
          >${hasTwoFactor ? 'On: signing in takes a code as well' : 'Off: your password alone opens your account'}</span
        ></span
      >
    </a>
    <a class="tile" href="/account/password">
      <span><strong>Password</strong><span class="soft">Choose another one</span></span>
    </a>`

type ListedSession = Awaited<ReturnType<typeof selectSessionsOf>>[number]

function sessionList(session: Session, sessions: ListedSession[], now: Date) {
  const others = sessions.length - 1
  return html`<section class="section">
    <h2>Where you are signed in</h2>
    <table>
      <thead>
        <tr>
          <th>Browser</th>
          <th>Signed in</th>
          <th>Last seen</th>
        </tr>
      </thead>
      <tbody>
        ${sessions.map(
          ({ id, user_agent, created_at, last_seen_at }) =>
            html`<tr>
              <td>
                ${describeBrowser(user_agent)}${id === session.sessionId && html` <small>(this one)</small>`}
              </td>
              <td data-label="Signed in">${timeAgo(created_at, now)}</td>
              <td data-label="Last seen">${timeAgo(last_seen_at, now)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${
      others > 0 &&
      html`<form method="post" action="/account/other-sessions/end">
        ${csrfField(session)}<button class="danger small">
          Sign out of ${counted(others, 'other browser')}
        </button>
      </form>`
    }
  </section>`
}

import { html } from '../../../../platform/http/html.ts'
import { askedNotice, table } from '../../../../platform/http/layout.ts'
import { type Page, redirectTo, show } from '../../../../platform/http/page.ts'
import { timeAgo } from '../../../../platform/http/time-ago.ts'
import type { Language } from '../../../../platform/http/viewer-preferences.ts'
import { enqueue } from '../../../../platform/jobs/job.ts'
import { requireEmailRate } from '../../../emails/index.ts'
import { findUnconfirmedEmail, sendEmailConfirmation } from '../../../employees/index.ts'
import { endAccess } from '../../../queue/index.ts'
import { SIGN_IN_LIMITS } from '../../limits.ts'
import { deleteOtherSessions, selectSessionsOf } from '../../session/queries.ts'
import { csrfField, type Session } from '../../session/sessions.ts'
import { describeBrowser } from '../../session/user-agent.ts'
import { accountTexts } from '../../texts/account.ts'
import type { SignInPageParts } from '../page-dependencies.ts'
import { ACCOUNT } from '../page-replies.ts'
import { accountPage } from './account-page.ts'

const SEND_CONFIRMATION = '/account/email-confirmation/send'

/** The account pages of an employee. */
export function accountPages({ db, clock, signedIn }: SignInPageParts): Page[] {
  const home = signedIn(async ({ query, reader }, session) => {
    const t = accountTexts[reader.language]
    const now = clock.now()
    const sessions = await selectSessionsOf(db.sql, session.company.id, session.employee.id, {
      createdAfter: new Date(now.getTime() - SIGN_IN_LIMITS.sessionMs),
      seenAfter: new Date(now.getTime() - SIGN_IN_LIMITS.sessionIdleMs),
    })
    const waiting = await findUnconfirmedEmail(db.sql, session.company.id, session.employee.id)
    const body = html`${askedNotice(t.notices, query)} ${person(session, reader.language, waiting)}
    ${sessionList(session, sessions, { now, language: reader.language })}`
    return show(accountPage(reader, session, { place: 'overview', title: t.title, body }))
  })

  const endOthers = signedIn(async (_, { actor, sessionId }) => {
    const { companyId, employeeId } = actor
    await db.tx((tx) =>
      endAccess(tx, actor, (queue) => deleteOtherSessions(queue, companyId, employeeId, sessionId)),
    )
    return redirectTo(`${ACCOUNT}?notice=others-ended`)
  })

  const sendConfirmation = signedIn(async ({ address }, { actor: { companyId, employeeId } }) => {
    const email = await findUnconfirmedEmail(db.sql, companyId, employeeId)
    if (email !== undefined) {
      await db.tx(async (tx) => {
        await requireEmailRate(tx, { clock, companyId, address }, [email])
        await enqueue(tx, sendEmailConfirmation, { companyId, employeeId, email })
      })
    }
    return redirectTo(`${ACCOUNT}?notice=confirmation-sent`)
  })

  return [
    { method: 'GET', path: ACCOUNT, handle: home },
    { method: 'POST', path: SEND_CONFIRMATION, handle: sendConfirmation },
    { method: 'POST', path: '/account/other-sessions/end', handle: endOthers },
  ]
}

function person(session: Session, language: Language, waiting: string | undefined) {
  const { employee, company, hasTwoFactor } = session
  const t = accountTexts[language]
  return html`<section class="section">
    <h2>${t.you}</h2>
    <dl>
      <dt>${t.name}</dt>
      <dd>${employee.name}</dd>
      <dt>${t.signsInAs}</dt>
      <dd>${employee.email}</dd>
      ${
        waiting !== undefined &&
        html`<dt>${t.waiting}</dt>
          <dd>
            ${waiting}
            <form method="post" action="${SEND_CONFIRMATION}">
              ${csrfField(session)}<button class="quiet small">${t.sendConfirmation}</button>
            </form>
          </dd>`
      }
      <dt>${t.company}</dt>
      <dd>${company.name}</dd>
      <dt>${t.places.twoFactor}</dt>
      <dd>
        ${hasTwoFactor ? t.twoFactorOn : html`${t.twoFactorOff}. <a href="/account/two-factor/setup">${t.setUp}</a>`}
      </dd>
    </dl>
  </section>`
}

type ListedSession = Awaited<ReturnType<typeof selectSessionsOf>>[number]

function sessionList(
  session: Session,
  sessions: ListedSession[],
  { now, language }: { now: Date; language: Language },
) {
  const t = accountTexts[language]
  const others = sessions.length - 1
  const rows = sessions.map(
    ({ id, user_agent, created_at, last_seen_at }) =>
      html`<tr>
        <td>
          ${describeBrowser(user_agent, language)}${id === session.sessionId && html` <small>${t.thisOne}</small>`}
        </td>
        <td data-label="${t.signedIn}">${timeAgo(created_at, now, language)}</td>
        <td data-label="${t.lastSeen}">${timeAgo(last_seen_at, now, language)}</td>
      </tr>`,
  )
  return html`<section class="section">
    <h2>${t.sessions}</h2>
    ${table([t.browser, t.signedIn, t.lastSeen], rows)}
    ${
      others > 0 &&
      html`<form method="post" action="/account/other-sessions/end">
        ${csrfField(session)}<button class="danger small">${t.endOthers(others)}</button>
      </form>`
    }
  </section>`
}

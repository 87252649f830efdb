import { html, type Html } from '../../platform/http/html.ts'
import { wordmark } from '../../platform/http/layout.ts'
import { csrfField, type Session } from './sessions.ts'

/** The top of every page for who is signed in. */
export const signedInBar = (session: Session): Html =>
  html`<header class="bar">
    <a href="/">${wordmark}</a>
    <span class="who">${session.employee.name}<small>${session.company.name}</small></span>
    <form method="post" action="/sign-out">
      ${csrfField(session)}<button class="quiet small">Sign out</button>
    </form>
  </header>`

import { html, type Html } from '../../../platform/http/html.ts'
import { wordmark } from '../../../platform/http/layout.ts'
import type { ViewerPreferences } from '../../../platform/http/viewer-preferences.ts'
import { csrfField, type Session } from '../session/sessions.ts'
import { accountTexts } from '../texts/account.ts'

/** The top of every page for signed-in employees. */
export const signedInHeader = ({ language }: ViewerPreferences, session: Session): Html =>
  html`<header class="bar">
    <a href="/">${wordmark}</a>
    <span class="who"
      ><bdi>${session.employee.name}</bdi><small><bdi>${session.company.name}</bdi></small></span
    >
    <form method="post" action="/sign-out">
      ${csrfField(session)}<button class="quiet small">${accountTexts[language].signOut}</button>
    </form>
  </header>`

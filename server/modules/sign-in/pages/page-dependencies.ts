import type { Dependencies } from '../../../platform/dependencies.ts'
import type { Cookies } from '../session/cookies.ts'
import type { Guard } from '../session/guard.ts'
import type { KnownBrowsers } from '../session/known-browser.ts'
import type { Sessions } from '../session/sessions.ts'

/** What the pages of this module need. */
export interface SignInPageParts extends Dependencies<'db' | 'clock' | 'vault'> {
  cookies: Cookies
  browsers: KnownBrowsers
  sessions: Sessions
  signedIn: Guard
}
